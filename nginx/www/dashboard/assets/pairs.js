// A stock item's attributes: pairs of a name and a text, in rows that can be added and removed.
import { Failure } from "./api.js";
import { h, icon, newId, replace } from "./dom.js";
import { errorNote } from "./fields.js";
import { knownAttribute } from "./suggestions.js";
import { oneLine } from "./texts.js";

// A control for makeForm: its value is an object of texts. suggested() → what may be added with one press, as in suggestions.js.
export function pairsControl({ name, label, max = 50, suggested = () => [] }) {
  let rows = [];
  let stored = new Set();  // the names that the service has
  const accepted = new Set();  // values that are right although they look wrong
  const list = h("ul", { class: "pairs" });
  const error = errorNote();

  function row(key, text) {
    const keyInput = h("input", { class: "form-control", "aria-label": "Name", placeholder: "Name", value: key, autocomplete: "off" });
    const textInput = h("input", { class: "form-control", "aria-label": "Value", placeholder: "Value", value: text, autocomplete: "off" });
    const made = { keyInput, textInput };
    const warning = h("div", { class: "pair-warning", role: "status" });
    const values = h("datalist", { id: newId("values") });
    function look() {
      const known = knownAttribute(keyInput.value);
      textInput.placeholder = known?.example ? `Such as ${known.example}` : "Value";
      replace(values, known?.values?.map((value) => h("option", { value })));
      if (known?.values) textInput.setAttribute("list", values.id);
      else textInput.removeAttribute("list");
      warn(known?.warning?.(textInput.value));
    }
    function warn(why) {
      if (!why || accepted.has(textInput.value)) return replace(warning);
      if (warning.firstChild?.textContent === why) return;
      replace(warning, h("p", { class: "form-text field-warning" }, why), h("button", { type: "button", class: "btn btn-quiet btn-small", onclick: () => {
        accepted.add(textInput.value);
        look();
        textInput.focus();
      } }, "It is right"));
    }
    keyInput.addEventListener("input", look);
    textInput.addEventListener("change", look);
    made.node = h("li", { class: "pair" }, keyInput, textInput,
      h("button", { type: "button", class: "bare", "aria-label": "Remove this row", title: "Remove", onclick: () => drop(made) }, icon("remove")), warning, values);
    look();
    return made;
  }
  function add(key, input) {
    const empty = rows.find(isEmpty);
    rows = [...rows.filter((each) => each !== empty), row(key, "")];
    draw();
    rows.at(-1)[input].focus();
  }
  function offer() {
    const there = new Set(rows.map((each) => each.keyInput.value.trim().toLowerCase()));
    const missing = rows.length >= max ? [] : suggested().filter((each) => !there.has(each.name.toLowerCase()));
    const names = missing.map((each) => each.name).join();
    if (names === offered) return;
    offered = names;
    chips.hidden = missing.length === 0;
    replace(chips, h("span", { class: "form-text" }, "Suggested:"), missing.map((each) =>
      h("button", { type: "button", class: "btn btn-quiet btn-small", onclick: () => add(each.name, "textInput") }, icon("plus"), each.name)));
  }
  let offered = null;
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Suggested details", hidden: true });
  function drop(made) {
    const at = rows.indexOf(made);
    rows = rows.filter((each) => each !== made);
    draw();
    (rows[at] ?? rows[at - 1])?.keyInput.focus() ?? more.focus();
  }
  const isEmpty = ({ keyInput, textInput }) => keyInput.value === "" && textInput.value === "";
  // Rows that stay keep the focus; those that are new are the last ones.
  function draw() {
    const nodes = rows.map((each) => each.node);
    [...list.children].filter((each) => !nodes.includes(each)).forEach((each) => each.remove());
    list.append(...nodes.filter((each) => each.parentNode !== list));
    list.hidden = rows.length === 0;
    more.hidden = rows.length >= max;
    offer();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const more = h("button", { type: "button", class: "btn btn-quiet btn-small", onclick: () => add("", "keyInput") }, icon("plus"), "Add a row");
  list.addEventListener("input", offer);

  const control = {
    name,
    label,
    node: h("div", {}, list, chips, more, error.node),
    suggest: offer,
    // A row that is empty is none. Two of one name cannot both be kept.
    get() {
      const pairs = new Map();
      for (const { keyInput, textInput } of rows.filter((each) => !isEmpty(each))) {
        const key = stored.has(keyInput.value) ? keyInput.value : oneLine(keyInput.value);
        const why = key === "" ? "has a value without a name" : pairs.has(key) ? `has “${key}” twice` : null;
        if (why) throw new Failure(400, `Invalid field: ${name}: ${why}`, { field: name, why });
        pairs.set(key, textInput.value);
      }
      return control.plain(Object.fromEntries(pairs));
    },
    plain: (pairs) => Object.fromEntries(Object.entries(pairs).sort(([a], [b]) => (a < b ? -1 : 1))),
    set(pairs) {
      // Rows of the same stay, also one that is only begun.
      const wanted = new Map(Object.entries(pairs ?? {}));
      stored = new Set(wanted.keys());
      rows = rows.filter((each) => isEmpty(each) || (wanted.get(each.keyInput.value) === each.textInput.value && wanted.delete(each.keyInput.value)));
      rows.push(...[...wanted].map(([key, text]) => row(key, text)));
      draw();
    },
    // A merge patch keeps what it does not name: what is gone has to be named.
    patch: (before, now) => ({ ...Object.fromEntries(Object.keys(before).filter((key) => !(key in now)).map((key) => [key, null])), ...now }),
    error: error.show,
    focus: () => (rows[0]?.keyInput ?? more).focus(),
  };
  return control;
}
