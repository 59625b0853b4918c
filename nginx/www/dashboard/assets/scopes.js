// What a token may be used for: the service's scopes in words, and the field that chooses some.
import { checksField } from "./checks.js";
import { listOf } from "./format.js";

const texts = {
  "stock:read": "Read stock", "stock:write": "Read and change stock",
  "jobs:read": "Read jobs, events and posts", "jobs:write": "Read and change jobs, events and posts",
  "enquiries:read": "Read enquiries", "enquiries:write": "Read, answer and send enquiries",
  "uploads:write": "Upload pictures and files",
  "account:read": "Read the organisation", "account:write": "Read and change the organisation",
};

// Null: all that its owner may do.
export const scopesText = (scopes) => (scopes === null ? "Full access" : listOf(scopes.map((scope) => texts[scope] ?? scope)));

const all = "";

// A field as those of fields.js. It begins with all, whose value is null; to choose nothing is no choice.
export function scopesField({ hint }) {
  const field = checksField({ name: "scopes", label: "What it may do", hint, required: true }, [[all, "Everything (full access)"], ...Object.entries(texts)]);
  field.set([all]);
  field.node.addEventListener("change", ({ target }) => {
    if (target.checked) field.set(target.value === all ? [all] : field.get().filter((scope) => scope !== all));
  });
  return { ...field, get: () => (field.get().includes(all) ? null : field.get()) };
}
