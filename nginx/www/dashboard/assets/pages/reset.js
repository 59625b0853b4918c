// A new password for whoever forgot theirs: asking for a letter, and choosing the password with its link.
import { post, put } from "../api.js";
import { focusFirst, h } from "../dom.js";
import { textField } from "../fields.js";
import { tokenOf } from "../letters.js";
import { sendingForm } from "../sending.js";

function alone(title, ...content) {
  const node = h("section", { class: "sign-in panel" }, h("h1", {}, title), ...content);
  return { title, node, focus: () => focusFirst(node) };
}
const toSignIn = () => h("p", {}, h("a", { href: "/dashboard/sign-in" }, "Back to sign in"));

export function forgotPage() {
  const email = textField({ name: "email", label: "Email", type: "email", autocomplete: "username", required: true, obvious: true });
  return alone("Forgot your password?",
    h("p", { class: "muted" }, "We email you a link with which you choose a new one."),
    sendingForm([email], "Send the email", async () => {
      await post("/dashboard/api/reset", { email: email.get() }, { plain: true });
      return h("p", {}, "If there is a user with this address, an email is on its way. Its link works for 30 minutes.");
    }),
    toSignIn());
}

export function resetPage() {
  const token = tokenOf("reset");
  if (!token) return alone("New password", h("p", {}, "Open the link in the email again."), toSignIn());
  const fresh = textField({ name: "password", label: "New password", type: "password", autocomplete: "new-password", required: true, obvious: true, hint: "12 to 256 characters. Not a common password, your email or your name." });
  const again = textField({ name: "again", label: "New password, again", type: "password", autocomplete: "new-password", required: true, obvious: true });
  return alone("Choose a new password",
    sendingForm([fresh, again], "Set the password", async () => {
      if (fresh.get() !== again.get()) {
        again.error("Is not the same as the new password");
        again.focus();
        return null;
      }
      try {
        await put(`/dashboard/api/reset/${token}`, { password: fresh.get() }, { plain: true });
      } catch (failure) {
        if (failure.status !== 404) throw failure;
        return h("p", {}, "This link was used or is too old. ", h("a", { href: "/dashboard/forgot" }, "Ask for another email"));
      }
      return h("p", {}, "The password is set. You are signed out everywhere.");
    }),
    toSignIn());
}
