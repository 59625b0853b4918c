// What gives lasting access asks for the password again when it was typed long ago.
import { post } from "./api.js";
import { h } from "./dom.js";
import { textField } from "./fields.js";
import { formDialog } from "./form_dialog.js";

// Over the page that is shown. True when the password was right.
export async function confirmPassword() {
  const password = textField({ name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true, obvious: true });
  const confirmed = await formDialog("Type your password", {
    before: h("p", {}, "You signed in a while ago. This gives lasting access to your account, so please type your password once more."),
    fields: [password], yes: "Go on", send: () => post("/dashboard/api/confirmation", { password: password.get() }),
  });
  return confirmed !== null;
}
