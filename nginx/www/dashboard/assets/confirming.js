// What gives lasting access asks for the password again when it was typed long ago.
import { Failure, post, told } from "./api.js";
import { dialog } from "./dialog.js";
import { h, replace } from "./dom.js";
import { textField } from "./fields.js";
import { makeForm } from "./form.js";

// Over the page that is shown. True when the password was right.
export async function confirmPassword() {
  const password = textField({ name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true, obvious: true });
  const form = makeForm([password]);
  const problem = h("div", { class: "form-error", role: "alert" });
  const done = await dialog("Type your password", (close) => {
    const button = h("button", { type: "submit", class: "btn btn-main" }, "Go on");
    async function submit(event) {
      event.preventDefault();
      if (button.disabled || form.missing()) return;
      button.disabled = true;
      replace(problem);
      try {
        await post("/dashboard/api/confirmation", { password: password.get() });
        close(true);
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        button.disabled = false;
        if (failure.field && form.place(failure)) return;
        replace(problem, h("div", { class: "notice notice-bad" }, h("p", {}, told(failure))));
      }
    }
    return h("form", { class: "stack", novalidate: true, onsubmit: submit },
      h("p", {}, "You signed in a while ago. This gives lasting access to your account, so please type your password once more."),
      password.node, problem,
      h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-quiet", onclick: () => close(false) }, "Cancel"), button));
  });
  return Boolean(done);
}
