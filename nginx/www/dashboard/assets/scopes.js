// What a token may be used for: the service's scopes in words, and the field that chooses some.
import { sentence } from "./api.js";
import { h, newId } from "./dom.js";

const texts = {
  "stock:read": "Read stock", "stock:write": "Read and change stock",
  "jobs:read": "Read jobs, events and posts", "jobs:write": "Read and change jobs, events and posts",
  "enquiries:read": "Read enquiries", "enquiries:write": "Read, answer and send enquiries",
  "uploads:write": "Upload pictures and files",
  "account:read": "Read the organisation", "account:write": "Read and change the organisation",
};

// Null: there is no limit.
export const scopesText = (scopes) => (scopes === null ? "No limit" : scopes.map((scope) => texts[scope] ?? scope).join(", "));

// A field as those of fields.js. Without a choice its value is null, which the service takes for all.
export function scopesField({ hint }) {
  const id = newId("scopes");
  const boxes = Object.entries(texts).map(([scope, text]) => ({ text, input: h("input", { type: "checkbox", class: "form-check-input", id: `${id}-${scope.replace(":", "-")}`, value: scope }) }));
  const error = h("p", { class: "field-error", hidden: true });
  const show = (text) => {
    error.hidden = !text;
    error.textContent = text ? sentence(text) : "";
  };
  return {
    name: "scopes",
    label: "What it may do",
    node: h("fieldset", { class: "field", "aria-describedby": `${id}-hint` }, h("legend", { class: "form-label" }, "What it may do"), h("p", { class: "form-text", id: `${id}-hint` }, hint),
      boxes.map(({ input, text }) => h("div", { class: "form-check" }, input, h("label", { class: "form-check-label", htmlFor: input.id }, text))), error),
    get() {
      const chosen = boxes.map(({ input }) => input).filter((input) => input.checked).map((input) => input.value);
      return chosen.length > 0 ? chosen : null;
    },
    set: (scopes) => boxes.forEach(({ input }) => (input.checked = scopes?.includes(input.value) ?? false)),
    error: show,
    focus: () => boxes[0].input.focus(),
  };
}
