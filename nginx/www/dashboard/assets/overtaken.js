// Somebody else saved first (412): what they changed, and whose version is to stay.
import { h } from "./dom.js";
import { valueIn } from "./form.js";
import { cut, momentOf, nameOf } from "./format.js";

const buttons = { status: "Status", availability: "Availability" };  // what is changed beside the form

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Whether `now` is `before` with what a request sent and nothing else: then that request was done, and its answer was lost. `values` were in the
// fields, `change` went beside them.
export function isDoneIn(now, before, form, { change, values }) {
  const isAsSent = (control) => {
    const wanted = control.name in change ? change[control.name] : values.get(control);
    return same(valueIn(now, control), same(wanted, form.was(control)) ? valueIn(before, control) : wanted);
  };
  return form.controls.every(isAsSent) && Object.keys(buttons).every((name) => form.label(name) || same(now[name], name in change ? change[name] : before[name]));
}

const plain = (value) => {
  if (value === null || value === undefined || value === "") return "empty";
  if (Array.isArray(value)) return value.join(", ") || "empty";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return Object.entries(value).map(([name, text]) => `${name}: ${text}`).join(", ") || "empty";
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return momentOf(value);
  return cut(String(value), 80);
};

// As its field shows it.
export function shownBy(control, value) {
  const option = [...(control?.input?.options ?? [])].find((each) => each.value === value);
  return option?.text ?? control?.shown?.(value) ?? plain(value);
}

export function overtaken(form, before, now, { mine, theirs }) {
  const labelOf = (name) => form.label(name) ?? buttons[name];
  const names = Object.keys(now).filter((name) => labelOf(name) && !same(now[name], before[name]));
  const text = (name) => (form.label(name) ? shownBy(form.controls.find((each) => each.name === name), now[name]) : nameOf(now[name]));
  return [
    h("p", {}, h("strong", {}, "Somebody else has changed this since you opened it."), " Nothing was saved, and what you typed is still here."),
    names.length > 0 && h("ul", {}, names.map((name) => h("li", {}, `${labelOf(name)}: now ${text(name)}`))),
    h("div", { class: "dialog-buttons" },
      h("button", { type: "button", class: "btn btn-main", onclick: mine }, "Save mine over it"),
      h("button", { type: "button", class: "btn btn-quiet", onclick: theirs }, "Drop mine, show theirs")),
  ];
}
