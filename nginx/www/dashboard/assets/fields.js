// Fields of forms: a label, an input, a hint and the place of its error. Every field has
//   name, node        what the service calls it; what is put into the page
//   get(), set(value) the service's value (null when empty); get throws a Failure when what was typed can be none
//   error(text)       shows what is wrong beside it, or null
//   focus(), check()  check() is false, and says so, when a required field is empty
import { inUnits, writeAmount } from "./amounts.js";
import { Failure, sentence } from "./api.js";
import { h, icon, newId } from "./dom.js";
import { signOf, two } from "./format.js";
import { manyLines } from "./texts.js";

const fault = (name, why) => new Failure(400, `Invalid field: ${name}: ${why}`, { field: name, why });

// Where a control that is no single input says what is wrong: {node, show(text)}. The focus may be anywhere, so it is read aloud at once.
export function errorNote() {
  const node = h("p", { class: "field-error", role: "alert", hidden: true });
  const show = (text) => {
    node.hidden = !text;
    node.textContent = text ? sentence(text) : "";
  };
  return { node, show };
}

// Wraps an input. `given` may hold hint, required, obvious (that it is required), wide, after (a node behind the input).
export function field(given, input, { read, write }) {
  const id = newId(given.name);
  const hint = given.hint ? h("p", { class: "form-text", id: `${id}-hint` }, given.hint) : null;
  const error = h("p", { class: "field-error", id: `${id}-error`, hidden: true });
  input.id = id;
  input.name = given.name;
  if (given.required) input.setAttribute("aria-required", "true");
  const described = () => {
    const ids = [hint && hint.id, !error.hidden && error.id].filter(Boolean).join(" ");
    if (ids) input.setAttribute("aria-describedby", ids);
    else input.removeAttribute("aria-describedby");
  };
  const show = (text) => {
    error.hidden = !text;
    error.textContent = text ? sentence(text) : "";
    if (text) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    described();
  };
  described();
  input.addEventListener("input", () => show(null));
  const label = h("label", { class: "form-label", htmlFor: id }, given.label,
    given.required && !given.obvious && h("span", { class: "required", "aria-hidden": "true" }, "required"));
  return {
    name: given.name,
    label: given.label,
    input,
    node: h("div", { class: given.wide ? "field wide" : "field" }, label, h("div", { class: "field-input" }, input, given.after), error, hint),
    get: () => read(input.value),
    set: (value) => (input.value = write(value)),
    error: show,
    focus: () => input.focus(),
    check() {
      if (!given.required || manyLines(input.value) !== "" || input.validity.badInput) return true;
      show("Fill this in");
      return false;
    },
  };
}

// What was typed in the reader's own way is shown as it was understood, once the field is left.
function tidy(made, write) {
  made.input.addEventListener("change", () => {
    try {
      made.input.value = write(made.get());
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;  // else it is told when it is saved
    }
  });
  return made;
}

const asText = { read: (text) => (manyLines(text) === "" ? null : text), write: (value) => value ?? "" };
const asTyped = { ...asText, read: (text) => (text === "" ? null : text) };

// "www.example.com" is https://www.example.com.
const asAddress = {
  read: (text) => (/^[\p{L}\d-]+(\.[\p{L}\d-]+)+([/?#:].*)?$/u.test(text.trim()) ? `https://${text.trim()}` : asText.read(text.trim())),
  write: asText.write,
};

// An amount without the spaces and commas between its thousands, and without the sign of a currency; and whether that is not a sign of
// `currency`: "$" is one of CAD, too. A comma elsewhere stays, and makes it no amount: "12,50" is not 1250.
function amountIn(text, currency = "") {
  const sign = /[£€$¥]/.exec(text)?.[0];
  const bare = text.replace(/[\s£€$¥]/g, "");
  return { plain: /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(",", "") : bare, foreign: Boolean(currency && sign && sign !== signOf(currency)) };
}

// One line, or several when `rows` is given. Also type email, url, password, search.
export function textField(given) {
  const common = { class: "form-control", autocomplete: given.autocomplete ?? "off", readOnly: given.readOnly, placeholder: given.placeholder };
  const input = given.rows
    ? h("textarea", { ...common, rows: given.rows })
    : h("input", { ...common, type: given.type ?? "text", spellcheck: given.type ? "false" : null, list: given.list });
  if (given.upper) input.addEventListener("input", () => (input.value = input.value.toUpperCase()));
  if (given.type === "password") return field({ ...given, after: given.after ?? showButton(input) }, input, asTyped);
  const made = given.type === "url" ? tidy(field(given, input, asAddress), asAddress.write) : field(given, input, asText);
  if (given.max) limit(input, given.max);
  return made;
}

// Shows what was typed as a password, until it is pressed again or the form is sent.
function showButton(input) {
  const button = h("button", { type: "button", class: "bare show-password", "aria-label": "Show characters", "aria-pressed": "false" }, icon("eye"));
  const show = (yes) => {
    input.type = yes ? "text" : "password";
    button.setAttribute("aria-pressed", String(yes));
  };
  button.addEventListener("click", () => {
    show(input.type === "password");
    // Else the browser keeps it among the texts that it offers.
    input.form?.addEventListener("submit", () => show(false), { capture: true, once: true });
  });
  return button;
}

// The service counts code points, the browser's maxlength UTF-16 units: so a hint and no cut.
function limit(input, max) {
  const left = h("span", { class: "left", hidden: true });
  input.after(left);
  input.addEventListener("input", () => {
    const over = [...input.value].length - max;
    left.hidden = over <= -Math.min(50, max / 5);
    left.classList.toggle("over", over > 0);
    left.textContent = over > 0 ? `${over} too many` : `${-over} left`;
  });
}

// One of the options, which are [value, text].
export function choiceField(given, options, { empty = "–" } = {}) {
  const input = h("select", { class: "form-select" },
    empty !== null && h("option", { value: "" }, empty), options.map(([value, text]) => h("option", { value }, text)));
  return field(given, input, asText);
}

export function integerField(given) {
  const input = h("input", { class: "form-control", type: "text", inputmode: "numeric", autocomplete: "off" });
  const write = (value) => (value === null || value === undefined ? "" : String(value));
  return tidy(field(given, input, {
    read(text) {
      const { plain } = amountIn(text);
      if (plain === "") return null;
      if (!/^-?\d{1,15}$/.test(plain)) throw fault(given.name, "must be a whole number");
      return Number(plain);
    },
    write,
  }), write);
}

// A price, typed in whole units with decimals and kept in the currency's smallest unit; digits() tells how many there are, currency()
// which it is.
export function priceField(given, digits, currency) {
  const input = h("input", { class: "form-control", type: "text", inputmode: "decimal", autocomplete: "off" });
  const write = (value) => (value === null || value === undefined ? "" : writeAmount(value, digits(), "."));
  const made = field(given, input, {
    read(text) {
      const { plain, foreign } = amountIn(text, currency());
      if (plain === "") return null;
      if (foreign) throw fault(given.name, `must be in ${currency()}, as the currency says`);
      const [, whole, decimals = ""] = /^(\d{1,13})(?:\.(\d*))?$/.exec(plain) ?? [];
      if (!whole) throw fault(given.name, "must be an amount such as 19995.00");
      const units = inUnits({ whole, decimals }, digits());
      if (units === null) throw fault(given.name, `must have at most ${digits()} digits behind the point in this currency`);
      return units;
    },
    write,
  });
  return Object.assign(tidy(made, write), { shown: write });
}

// The moment in an input of a day, or of a day and a time; `rest` is what its text lacks. Browsers give "" for one that is not whole.
export function momentIn(input, rest = "") {
  if (input.value === "" && !input.validity.badInput) return null;
  const at = new Date(input.value + rest);
  if (Number.isNaN(at.getTime())) throw fault(input.name, "is not whole, or there is no such day");
  return at.toISOString();
}

// The last day on which something is shown, in the reader's own time.
export function lastDayField(given) {
  const input = h("input", { class: "form-control", type: "date", max: "9999-12-31" });
  const over = h("p", { class: "form-text field-warning", role: "status" });
  let kept = { day: "", time: null };
  const look = () => (over.textContent = input.value !== "" && new Date(`${input.value}T23:59:59.999`) < new Date() ? "This day is over: it is not shown." : "");
  input.addEventListener("input", look);
  return field({ ...given, after: over }, input, {
    // The moment that is there may not be the end of its day: it stays as long as the day does.
    read: (text) => (text && text === kept.day ? kept.time : momentIn(input, "T23:59:59.999")),
    write(value) {
      const at = value && new Date(value);
      const day = at ? [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(two).join("-") : "";
      kept = { day, time: value };
      setTimeout(look);  // when the input has it
      return day;
    },
  });
}
