// A form of few fields, all of which are sent.
import { Failure, told } from "./api.js";
import { h, replace } from "./dom.js";
import { makeForm } from "./form.js";
import { many } from "./format.js";

const tooMany = (failure) => `Too many attempts. You can try again in ${many(Math.ceil((failure.wait ?? 60) / 60), "minute")}.`;
const notice = (text) => h("div", { class: "notice notice-bad" }, h("p", {}, text));

// A form that sends once at a time. `send` may throw a Failure; what it returns takes the form's place. `values` are what it begins with,
// `more` what stands below the fields.
export function sendingForm(fields, label, send, { values = {}, wide = true, more } = {}) {
  const form = makeForm(fields);
  const problem = h("div", { class: "form-error", role: "alert" });
  const button = h("button", { type: "submit", class: `btn btn-main ${wide ? "btn-wide" : ""}` }, label);
  async function submit(event) {
    event.preventDefault();
    form.clear();
    replace(problem);
    if (button.disabled || form.missing().length > 0) return;
    button.disabled = true;
    try {
      const done = await send(form);
      if (!done) return;
      const box = h("div", { role: "status", tabIndex: -1 }, done);
      node.replaceWith(box);
      box.focus();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (!(failure.field && form.place(failure))) replace(problem, notice(failure.status === 429 ? tooMany(failure) : told(failure)));
    } finally {
      button.disabled = false;
    }
  }
  form.set(values);
  const node = h("form", { class: "stack", novalidate: true, onsubmit: submit }, fields.map((each) => each.node), more, problem, wide ? button : h("div", {}, button));
  return node;
}
