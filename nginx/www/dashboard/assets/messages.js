// What happened, said once: shown for a while and read aloud. The two regions stand in the document from the beginning, because
// screen readers only hear of changes in regions that they know.
import { h, icon } from "./dom.js";

function show(region, text, seconds) {
  const note = h("div", { class: "message" }, h("span", {}, text));
  const close = () => {
    clearTimeout(timer);
    note.remove();
  };
  note.append(h("button", { type: "button", class: "bare", "aria-label": "Dismiss", onclick: close }, icon("remove")));
  let timer = setTimeout(close, seconds * 1000);
  // Who is reading it, or on the way to its button, needs longer.
  for (const event of ["pointerenter", "focusin"]) note.addEventListener(event, () => clearTimeout(timer));
  for (const event of ["pointerleave", "focusout"]) note.addEventListener(event, () => (timer = setTimeout(close, seconds * 1000)));
  silence();
  region.replaceChildren(note);
}

// "Saved.": polite.
export const say = (text) => show(document.getElementById("messages"), text, 6);

// What the user has to know now.
export const warn = (text) => show(document.getElementById("alerts"), text, 12);

export function silence() {
  document.getElementById("messages").replaceChildren();
  document.getElementById("alerts").replaceChildren();
}
