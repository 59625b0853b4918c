// A field of several choices, each with a box to tick; its value is the list of those that are ticked.
import { sentence } from "./api.js";
import { h, newId } from "./dom.js";

// `options` are [value, text].
export function checksField(given, options) {
  const id = newId(given.name);
  const error = h("p", { class: "field-error", id, hidden: true });
  const boxes = options.map(([value]) => h("input", { type: "checkbox", class: "form-check-input", id: newId(given.name), value }));
  const node = h("fieldset", { class: "field", "aria-describedby": id }, h("legend", { class: "form-label" }, given.label),
    boxes.map((box, i) => h("div", { class: "form-check" }, box, h("label", { class: "form-check-label", htmlFor: box.id }, options[i][1]))), error);
  const show = (text) => {
    error.hidden = !text;
    error.textContent = text ? sentence(text) : "";
  };
  node.addEventListener("change", () => show(null));
  const get = () => boxes.filter((box) => box.checked).map((box) => box.value);
  return {
    name: given.name,
    label: given.label,
    node,
    get,
    set: (values) => boxes.forEach((box) => (box.checked = (values ?? []).includes(box.value))),
    error: show,
    focus: () => boxes[0].focus(),
    check() {
      if (!given.required || get().length > 0) return true;
      show("Tick at least one");
      return false;
    },
  };
}
