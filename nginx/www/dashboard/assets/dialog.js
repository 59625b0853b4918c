// Dialogs over the page: the browser's own, which keep the focus inside and give it back.
import { h, newId } from "./dom.js";

// Shows a dialog until `close(result)`; resolves to the result, null when it was left by Escape. `build(close, hold)` returns its
// contents. One that is held is not left by Escape before hold(false) was called.
export function dialog(title, build, { wide = false, held = false } = {}) {
  const heading = newId("dialog");
  return new Promise((resolve) => {
    const before = document.activeElement;
    const node = h("dialog", { class: wide ? "dialog wide" : "dialog", "aria-labelledby": heading });
    // Resolves at once. The browser's own event comes with its next frame, when the user may have gone on already.
    const close = (result = null) => {
      if (!node.isConnected) return;
      node.close();
      node.remove();
      // The browser gives the focus back to what had it; if that is gone, the page is the next best place.
      if (!before?.isConnected) document.getElementById("main")?.focus();
      resolve(result);
    };
    const hold = (yes) => {
      held = yes;
      // For the Back gesture, which is no key; not every browser knows it.
      if (held) node.setAttribute("closedby", "none");
      else node.removeAttribute("closedby");
    };
    hold(held);
    node.addEventListener("keydown", (event) => held && event.key === "Escape" && event.preventDefault());
    node.addEventListener("cancel", (event) => held && event.preventDefault());
    node.append(h("h2", { id: heading, class: "dialog-title" }, title), h("div", {}, build(close, hold)));
    node.addEventListener("close", () => close());
    document.body.append(node);
    node.showModal();
  });
}

// Asks before something is done. Resolves to true when `yes` was chosen. The safe answer has the focus.
export async function confirm(title, text, { yes, no = "Cancel", danger = true }) {
  const answer = await dialog(title, (close) => [
    h("p", {}, text),
    h("div", { class: "dialog-buttons" },
      h("button", { type: "button", class: "btn btn-quiet", autofocus: true, onclick: () => close(false) }, no),
      h("button", { type: "button", class: danger ? "btn btn-danger" : "btn btn-main", onclick: () => close(true) }, yes)),
  ]);
  return answer === true;
}
