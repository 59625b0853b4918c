// Boxes to tick.
import { sentence } from "./api.js";
import { h, newId } from "./dom.js";
import { errorNote } from "./fields.js";

// One box; its value is true or false.
export function tickField(given) {
  const input = h("input", { type: "checkbox", class: "form-check-input", id: newId(given.name), name: given.name });
  const error = errorNote();
  return {
    name: given.name,
    label: given.label,
    input,
    node: h("div", { class: "field wide" }, h("div", { class: "form-check" }, input, h("label", { class: "form-check-label", htmlFor: input.id }, given.label)), error.node),
    get: () => input.checked,
    set: (value) => (input.checked = Boolean(value)),
    error: error.show,
    focus: () => input.focus(),
  };
}

// A field of several choices, each with a box; its value is the list of those that are ticked. `options` are [value, text].
export function checksField(given, options) {
  const id = newId(given.name), hintId = newId(given.name);
  const error = h("p", { class: "field-error", id, hidden: true });
  const boxes = options.map(([value]) => h("input", { type: "checkbox", class: "form-check-input", id: newId(given.name), value }));
  const node = h("fieldset", { class: "field", "aria-describedby": given.hint ? `${hintId} ${id}` : id }, h("legend", { class: "form-label" }, given.label),
    given.hint && h("p", { class: "form-text", id: hintId }, given.hint),
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
