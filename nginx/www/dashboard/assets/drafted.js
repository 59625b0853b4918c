// Keeps a draft of a form, and offers the one that is there from before.
import { Failure } from "./api.js";
import { h } from "./dom.js";
import { draftPlace } from "./drafts.js";
import { momentOf, timeNode } from "./format.js";
import { shownBy } from "./overtaken.js";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Passwords, tokens and codes are never kept.
const isSecret = ({ input, secret }) => secret || input?.type === "password" || /password|one-time-code/.test(input?.getAttribute("autocomplete") ?? "");

// `form` is makeForm()'s; record() is what the service has, null for a new one. {node (the offer), keep(), saved(), discard()}: keep() after
// each change.
export function drafted(form, record) {
  const controls = form.controls.filter((control) => !isSecret(control));
  const of = () => record()?.updatedAt ?? null;
  let place = draftPlace();
  let offered = place.read();
  const node = h("div", { class: "draft-place" });

  // The fields that differ from what the service has.
  function typed() {
    const now = form.snapshot();
    const fields = {};
    for (const control of controls) {
      const value = now.get(control), was = form.was(control);
      if (!(value instanceof Failure)) {
        if (!same(value, was)) fields[control.name] = { was, value };
      } else if (control.input?.value) {
        fields[control.name] = { was, text: control.input.value };
      }
    }
    return fields;
  }

  function keep() {
    if (!node.isConnected) return;  // it was left while a file was on its way
    const fields = typed();
    // What is offered and was not decided on yet stays beside what is typed now.
    if (Object.keys(fields).length > 0) place.write({ of: of(), fields: { ...offered?.fields, ...fields } });
    else if (!offered) place.remove();
  }

  function decide() {
    offered = null;
    node.replaceChildren();
  }

  async function restore() {
    const { fields } = offered;
    decide();
    const found = controls.filter((control) => control.name in fields);
    for (const control of found) {
      const { value, text } = fields[control.name];
      if (text !== undefined) control.input.value = text;
      else await (control.restore ?? control.set)(value);
    }
    keep();
    form.reach(found[0]);
  }

  function discard() {
    decide();
    place.remove();
  }

  function row(control) {
    const { was, value, text } = offered.fields[control.name];
    const now = form.was(control);
    return h("li", {}, h("strong", {}, control.label), `: ${text ?? shownBy(control, value)}`,
      h("span", { class: "muted" }, same(now, was) ? ` instead of ${shownBy(control, now)}` : ` – changed since, to ${shownBy(control, now)}`));
  }

  function offer() {
    // What the service has meanwhile, too, is not missing.
    const differing = controls.filter((control) => control.name in offered.fields && !same(offered.fields[control.name].value, form.was(control)));
    if (differing.length === 0) return decide();
    const changed = offered.of !== of();
    node.append(h("section", { class: "notice notice-warn draft", "aria-label": "What you typed before" },
      h("p", {}, "On ", timeNode(new Date(offered.at).toISOString(), momentOf(offered.at)), " ", h("strong", {}, "you typed something here that was not saved"), ".",
        changed && " The record has been changed since."),
      h("ul", {}, differing.map(row)),
      h("div", { class: "dialog-buttons" },
        h("button", { type: "button", class: "btn btn-main", onclick: restore }, "Use what I typed"),
        h("button", { type: "button", class: "btn btn-quiet", onclick() {
          discard();
          form.reach(form.controls[0]);
        } }, "Discard it"))));
  }

  if (offered) offer();
  return {
    node,
    keep,
    discard,
    // The service has taken it. A record that was new has another address now.
    saved() {
      discard();
      if (!node.isConnected) return;
      place = draftPlace();
      keep();
    },
  };
}
