// Another email, with the link of the letter to it.
import { h } from "../dom.js";
import { emailNode } from "../format.js";
import { tokenOf } from "../letters.js";
import { sendingForm } from "../sending.js";
import { changeEmail, session } from "../session.js";

const here = "/dashboard/email";
const page = (...content) => ({ title: "New email", node: h("section", { class: "sign-in panel" }, h("h1", {}, "New email"), ...content) });
const profile = (text) => h("a", { href: "/dashboard/settings/profile" }, text);

export function emailPage() {
  const token = tokenOf("email");
  if (!token) return page(h("p", {}, "Open the link in the email again."), h("p", {}, profile("Your profile")));
  if (!session.user)
    return page(h("p", {}, "Sign in with the email that you have had so far. Then you can use the new one."),
      h("p", {}, h("a", { class: "btn btn-main btn-wide", href: `/dashboard/sign-in?next=${encodeURIComponent(here)}` }, "Sign in")));
  const intro = h("p", {}, "You are signed in as ", h("strong", {}, emailNode(session.user.email)), ". Your new email replaces it.");
  return page(intro,
    sendingForm([], "Use the new email", async () => {
      try {
        await changeEmail(token);
      } catch (failure) {
        if (failure.status !== 404) throw failure;
        return h("p", {}, "This link was used or withdrawn, is too old, or is another user's. ", profile("Ask for another email"));
      }
      intro.remove();
      return [h("p", {}, "From now on you sign in with ", h("strong", {}, session.user.email), ". Everywhere else you are signed out."),
        h("p", {}, h("a", { href: "/dashboard/" }, "To the dashboard"))];
    }));
}
