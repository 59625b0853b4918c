// Making a token: its name, its scopes, and its value, which is shown this once.
import { post } from "./api.js";
import { dialog } from "./dialog.js";
import { h, icon, replace } from "./dom.js";
import { textField } from "./fields.js";
import { formDialog } from "./form_dialog.js";
import { dayOf, momentOf, timeNode } from "./format.js";
import { scopesField } from "./scopes.js";

// From then on letters and X-Token-Expires-At tell of the end, too.
const nearly = 14 * 24 * 3600 * 1000;
export const expiryOf = ({ expiresAt }) =>
  [timeNode(expiresAt), new Date(expiresAt) - Date.now() < nearly && h("span", { class: "mark mark-warn" }, "Soon")];

// Resolves to the new token with its value, or null. `last` is the token that this one pushes out, or null; `owner` the name of the
// integration whose token it is, if it is of one.
export function mintDialog(address, last, owner = null) {
  const hint = owner ? "To tell its tokens apart, such as “November”." : "Which program is it for? Such as “Nightly feed”.";
  const name = textField({ name: "name", label: "Name", required: true, obvious: true, max: 80, hint });
  const scopes = scopesField({ hint: "Choose what the program needs: a token that gets lost opens no more than that." });
  return formDialog(owner ? `Make a token for ${owner}` : "Make a token", {
    before: last && h("div", { class: "notice notice-warn" }, icon("warning"), h("p", {}, "This is one more than you can hold. It pushes out ",
      h("strong", {}, last.name ?? "a token made by a program"), `, made ${momentOf(last.createdAt)}, whose program will be refused.`)),
    fields: [name, scopes], yes: "Make it", send: async () => (await post(address, { name: name.get(), scopes: scopes.get() })).data,
  });
}

function copyButton(text, label, done) {
  const button = h("button", { type: "button", class: "btn btn-quiet btn-small", "aria-label": label }, icon("copy"), "Copy");
  const heard = h("span", { class: "visually-hidden", role: "status" });
  button.addEventListener("click", async () => {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
      done();
    } catch {
      copied = false;  // not allowed here: it can still be selected
    }
    replace(button, icon(copied ? "check" : "warning"), copied ? "Copied" : "Select it and copy");
    heard.textContent = copied ? "Copied." : "It could not be copied. Select it and copy it.";
  });
  return [button, heard];
}

// One value with its button; who goes into it has selected all of it. done() is called when it was copied in either way.
export function copied(name, label, text, { rows = 2, done = () => {} } = {}) {
  const value = textField({ name, label, rows, readOnly: true });
  value.set(text);
  value.input.classList.add("secret");
  value.input.spellcheck = false;
  value.input.addEventListener("focus", () => value.input.select());
  value.input.addEventListener("copy", done);
  return h("div", { class: "copied" }, value.node, copyButton(text, `Copy: ${label}`, done));
}

// What is shown once: `note` says so, values(done) makes the parts to copy. Escape does not close it before one called done().
export const onceDialog = (title, note, values, yes = "I have copied it") => dialog(title, (close, hold) => h("div", { class: "stack" },
  h("div", { class: "notice notice-warn" }, icon("warning"), h("p", {}, note)), values(() => hold(false)),
  h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-main", onclick: () => close(true) }, yes))), { wide: true, held: true });

export function mintedDialog(token) {
  const line = `curl ${location.origin}/api/v1/me -H 'Authorization: Bearer ${token.token}'`;
  return onceDialog(`${token.name} is ready`, `Copy it now: it cannot be shown again. It works until ${dayOf(token.expiresAt)}.`,
    (done) => [copied("value", "Token", token.token, { done }), copied("line", "Try it", line, { done })]);
}
