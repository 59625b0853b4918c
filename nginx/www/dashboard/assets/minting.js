// Making a token: its name, and its value, which is shown this once.
import { Failure, post, told } from "./api.js";
import { dialog } from "./dialog.js";
import { h, icon, replace } from "./dom.js";
import { textField } from "./fields.js";
import { makeForm } from "./form.js";
import { dayOf, momentOf } from "./format.js";

// Resolves to the new token with its value, or null. `last` is the token that this one pushes out, or null.
export function mintDialog(address, last) {
  const name = textField({ name: "name", label: "Name", required: true, obvious: true, max: 80, hint: "Which program is it for? Such as “Nightly feed”." });
  const form = makeForm([name]);
  const problem = h("div", { class: "form-error", role: "alert" });
  return dialog("Make a token", (close) => {
    const button = h("button", { type: "submit", class: "btn btn-main" }, "Make it");
    async function submit(event) {
      event.preventDefault();
      if (button.disabled || form.missing()) return;
      button.disabled = true;
      replace(problem);
      try {
        close((await post(address, { name: name.get() })).data);
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        button.disabled = false;
        if (failure.field && form.place(failure)) return;
        replace(problem, h("div", { class: "notice notice-bad" }, h("p", {}, told(failure))));
      }
    }
    return h("form", { class: "stack", novalidate: true, onsubmit: submit },
      last && h("div", { class: "notice notice-warn" }, icon("warning"), h("p", {}, "This is one more than you can hold. It pushes out ",
        h("strong", {}, last.name ?? "a token made by a program"), `, made ${momentOf(last.createdAt)}, whose program will be refused.`)),
      name.node, problem,
      h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-quiet", onclick: () => close(null) }, "Cancel"), button));
  });
}

function copyButton(text, label) {
  const button = h("button", { type: "button", class: "btn btn-quiet btn-small", "aria-label": label }, icon("copy"), "Copy");
  const heard = h("span", { class: "visually-hidden", role: "status" });
  button.addEventListener("click", async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      done = false;  // not allowed here: it can still be selected
    }
    replace(button, icon(done ? "check" : "warning"), done ? "Copied" : "Select it and copy");
    heard.textContent = done ? "Copied." : "It could not be copied. Select it and copy it.";
  });
  return [button, heard];
}

// One value with its button; who goes into it has selected all of it.
export function copied(name, label, text, rows = 2) {
  const value = textField({ name, label, rows, readOnly: true });
  value.set(text);
  value.input.classList.add("secret");
  value.input.spellcheck = false;
  value.input.addEventListener("focus", () => value.input.select());
  return h("div", { class: "copied" }, value.node, copyButton(text, `Copy: ${label}`));
}

export function mintedDialog(token) {
  const line = `curl ${location.origin}/api/v1/me -H 'Authorization: Bearer ${token.token}'`;
  return dialog(`${token.name} is ready`, (close) => h("div", { class: "stack" },
    h("div", { class: "notice notice-warn" }, icon("warning"), h("p", {}, "Copy it now: it is shown this once, and nobody can find it out again. ",
      `It works until ${dayOf(token.expiresAt)}.`)),
    copied("value", "Token", token.token), copied("line", "Try it", line),
    h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-main", onclick: () => close(true) }, "I have copied it"))), { wide: true });
}
