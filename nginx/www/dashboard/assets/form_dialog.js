// A dialog with a form that is sent to the service.
import { Failure, told } from "./api.js";
import { dialog } from "./dialog.js";
import { h, replace } from "./dom.js";
import { makeForm } from "./form.js";

// Resolves to what send() returns, or null when the dialog was left. It cannot be left while send() runs, whose answer may hold a token that is
// shown once. What the service refuses stands beside the field that it names, or
// below all. `before` is what stands above the fields, `yes` the button.
export function formDialog(title, { before, fields, yes, send, wide }) {
  const form = makeForm(fields);
  const problem = h("div", { class: "form-error", role: "alert" });
  return dialog(title, (close, hold) => {
    const button = h("button", { type: "submit", class: "btn btn-main" }, yes);
    const cancel = h("button", { type: "button", class: "btn btn-quiet", onclick: () => close(null) }, "Cancel");
    const sending = (on) => {
      button.disabled = cancel.disabled = on;
      hold(on);
    };
    async function submit(event) {
      event.preventDefault();
      if (button.disabled || form.missing().length > 0) return;
      sending(true);
      replace(problem);
      try {
        close(await send());
      } catch (failure) {
        sending(false);
        if (!(failure instanceof Failure)) throw failure;
        if (failure.field && form.place(failure)) return;
        replace(problem, h("div", { class: "notice notice-bad" }, h("p", {}, told(failure))));
      }
    }
    return h("form", { class: "stack", novalidate: true, onsubmit: submit }, before, fields.map((field) => field.node), problem,
      h("div", { class: "dialog-buttons" }, cancel, button));
  }, { wide });
}
