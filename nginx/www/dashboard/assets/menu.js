// A button that opens a small list below itself.
import { h, icon, newId } from "./dom.js";

// `name` is what screen readers hear before the label; `items` are nodes. Closes by Escape, a choice, or a click elsewhere.
export function menu(name, label, items, kind = "") {
  const id = newId("menu");
  const list = h("ul", { class: "menu-list", id, hidden: true }, items.map((item) => h("li", {}, item)));
  const button = h("button", { type: "button", class: "menu-button", "aria-expanded": "false", "aria-controls": id, "data-keep": kind },
    h("span", { class: "visually-hidden" }, `${name}: `), label, icon("down"));
  const node = h("div", { class: `menu ${kind}` }, button, list);
  const open = (yes) => {
    list.hidden = !yes;
    button.setAttribute("aria-expanded", String(yes));
    if (yes) document.addEventListener("pointerdown", outside);
    else document.removeEventListener("pointerdown", outside);
  };
  const outside = (event) => !node.contains(event.target) && open(false);
  button.addEventListener("click", () => open(list.hidden));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || list.hidden) return;
    open(false);
    button.focus();
  });
  node.addEventListener("focusout", (event) => event.relatedTarget && !node.contains(event.relatedTarget) && open(false));
  list.addEventListener("click", (event) => {
    if (!event.target.closest("a, button")) return;
    if (list.contains(document.activeElement)) button.focus();
    open(false);
  });
  return node;
}
