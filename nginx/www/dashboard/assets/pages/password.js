// Settings: the password.
import { h } from "../dom.js";
import { textField } from "../fields.js";
import { say } from "../messages.js";
import { sendingForm } from "../sending.js";
import { changePassword, session } from "../session.js";
import { settingsPage } from "../settings.js";

// What the service would say; common passwords only it knows.
function fault(password) {
  const length = [...password].length;
  const key = password.trim().toLowerCase();
  const { email, name } = session.user;
  if (length < 12 || length > 256) return "must be 12 to 256 characters long";
  if ([email, email.slice(0, email.lastIndexOf("@"))].some((text) => text.toLowerCase() === key)) return "must not be the email";
  if (name.toLowerCase() === key) return "must not be the name";
  return null;
}

export function passwordPage() {
  const current = textField({ name: "currentPassword", label: "Current password", type: "password", autocomplete: "current-password", required: true, obvious: true });
  const fresh = textField({ name: "newPassword", label: "New password", type: "password", autocomplete: "new-password", required: true, obvious: true, hint: "12 to 256 characters. Not a common password, your email or your name." });
  const again = textField({ name: "again", label: "New password, again", type: "password", autocomplete: "new-password", required: true, obvious: true });
  const fields = [current, fresh, again];
  const revoke = h("input", { type: "checkbox", class: "form-check-input", id: "revoke-tokens" });

  async function change(form) {
    const why = fault(fresh.get());
    if (why) {
      fresh.error(why);
      return fresh.focus();
    }
    if (fresh.get() !== again.get()) {
      again.error("Is not the same as the new password");
      return again.focus();
    }
    await changePassword(current.get(), fresh.get(), revoke.checked);
    form.set({});
    say(revoke.checked ? "The password is changed, and your API tokens are revoked." : "The password is changed. Other sessions of yours have ended.");
    revoke.checked = false;
  }

  const form = sendingForm(fields, "Change the password", change, { wide: false, more: [
    h("div", { class: "form-check" }, revoke, h("label", { class: "form-check-label", htmlFor: "revoke-tokens" }, "Revoke all my API tokens, too"),
      h("p", { class: "form-text" }, "Do this when somebody else may know the password: a token works without it.")),
    h("p", { class: "muted" }, "You will stay signed in here, and be signed out everywhere else."),
  ] });
  // Password managers want to know whose it is.
  form.prepend(h("input", { type: "email", autocomplete: "username", value: session.user.email, hidden: true, readOnly: true }));
  const node = settingsPage("Password", "password", h("div", { class: "panel stack narrow" }, form));
  return { title: "Password", node, unsaved: () => fields.some((each) => each.get() !== null) };
}
