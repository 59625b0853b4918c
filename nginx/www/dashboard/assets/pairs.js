// A stock item's attributes: pairs of a name and a text, in rows that can be added and removed.
import { Failure, sentence } from "./api.js";
import { h, icon, replace } from "./dom.js";

// A control for makeForm: its value is an object of texts.
export function pairsControl({ name, label, max = 50 }) {
  let rows = [];
  const list = h("ul", { class: "pairs" });
  const error = h("p", { class: "field-error", hidden: true });

  function row(key, text) {
    const keyInput = h("input", { class: "form-control", "aria-label": "Name", placeholder: "Name", value: key, autocomplete: "off" });
    const textInput = h("input", { class: "form-control", "aria-label": "Value", placeholder: "Value", value: text, autocomplete: "off" });
    const made = { keyInput, textInput };
    made.node = h("li", { class: "pair" }, keyInput, textInput,
      h("button", { type: "button", class: "bare", "aria-label": "Remove this row", title: "Remove", onclick: () => drop(made) }, icon("remove")));
    return made;
  }
  function drop(made) {
    const at = rows.indexOf(made);
    rows = rows.filter((each) => each !== made);
    draw();
    (rows[at] ?? rows[at - 1])?.keyInput.focus() ?? more.focus();
  }
  function draw() {
    replace(list, rows.map((each) => each.node));
    list.hidden = rows.length === 0;
    more.hidden = rows.length >= max;
    list.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const more = h("button", { type: "button", class: "btn btn-quiet btn-small", onclick: () => {
    rows.push(row("", ""));
    draw();
    rows.at(-1).keyInput.focus();
  } }, icon("plus"), "Add a row");

  return {
    name,
    label,
    node: h("div", {}, list, more, error),
    // A row that is empty is none. Two of one name cannot both be kept.
    get() {
      const pairs = new Map();
      for (const { keyInput, textInput } of rows) {
        const key = keyInput.value;
        if (key === "" && textInput.value === "") continue;
        const why = key === "" ? "has a value without a name" : pairs.has(key) ? `has “${key}” twice` : null;
        if (why) throw new Failure(400, `Invalid field: ${name}: ${why}`, { field: name, why });
        pairs.set(key, textInput.value);
      }
      return Object.fromEntries([...pairs].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    set(pairs) {
      rows = Object.entries(pairs ?? {}).map(([key, text]) => row(key, text));
      draw();
    },
    // A merge patch keeps what it does not name: what is gone has to be named.
    patch: (before, now) => ({ ...Object.fromEntries(Object.keys(before).filter((key) => !(key in now)).map((key) => [key, null])), ...now }),
    error(text) {
      error.hidden = !text;
      error.textContent = text ? sentence(text) : "";
    },
    focus: () => (rows[0]?.keyInput ?? more).focus(),
  };
}
