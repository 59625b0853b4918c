// Accepting an invitation with the link of its letter.
import { Failure, get, post } from "../api.js";
import { h, replace } from "../dom.js";
import { textField } from "../fields.js";
import { tokenOf } from "../letters.js";
import { fill, outline } from "../loading.js";
import { go } from "../router.js";
import { sendingForm } from "../sending.js";
import { loadSession, session, signIn } from "../session.js";
import { addressOf } from "../shell.js";

const here = "/dashboard/invitation";

export function invitationPage() {
  const token = tokenOf("invitation");
  const address = `/dashboard/api/invitation/${token}`;
  const box = h("div", {});
  const page = { title: "Invitation", node: h("section", { class: "sign-in panel" }, h("h1", {}, "Invitation"), box) };
  if (!token) {
    replace(box, h("p", {}, "Open the link in the email again."));
    return page;
  }

  async function enter(organisation) {
    await loadSession();
    await go(addressOf(organisation.slug, "enquiries"), { replace: true });
  }

  // Null when there is no such invitation (any more): it may have been used by a request whose answer was lost.
  async function known(task) {
    try {
      return (await task()).data;
    } catch (failure) {
      if (!(failure instanceof Failure) || failure.status !== 404) throw failure;
      return null;
    }
  }
  const load = () => known(() => get(address));
  const use = (body) => known(() => post(address, body, { plain: true }));

  async function accept() {
    const used = await use({});
    return used ? enter(used.organisation) : draw(null);
  }

  function newUser(invitation) {
    const name = textField({ name: "name", label: "Your name", autocomplete: "name", required: true, obvious: true, max: 120 });
    const password = textField({ name: "password", label: "Password", type: "password", autocomplete: "new-password", required: true, obvious: true, hint: "12 to 256 characters. Not a common password, your email or your name." });
    return sendingForm([name, password], "Make my account", async () => {
      if (!(await use({ name: name.get(), password: password.get() }))) return draw(null);
      try {
        return (await signIn(invitation.email, password.get(), null)) && (await enter(invitation.organisation));
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        return h("p", {}, "Your account is made. ", h("a", { href: "/dashboard/sign-in" }, `Sign in as ${invitation.email}`));
      }
    });
  }

  function choices(invitation) {
    const own = session.user?.email.toLowerCase() === invitation.email.toLowerCase();
    if (own) return sendingForm([], `Accept as ${session.user.email}`, accept);
    if (session.user) return h("p", {}, `It is for ${invitation.email}, and you are signed in as ${session.user.email}. Sign out, then open the link in the email again.`);
    if (invitation.account) return h("p", {}, h("a", { href: `/dashboard/sign-in?next=${encodeURIComponent(here)}` }, `Sign in as ${invitation.email} to accept`));
    return newUser(invitation);
  }

  const draw = (invitation) => (invitation
    ? [h("p", {}, "You are invited to work with ", h("strong", {}, invitation.organisation.name), invitation.role === "ADMIN" ? " as an administrator." : "."), choices(invitation)]
    : [h("p", {}, "This invitation has been accepted, was withdrawn, or has expired. An administrator of the organisation can send another one."),
      h("p", {}, session.user ? h("a", { href: "/dashboard/" }, "Go to the dashboard") : h("a", { href: "/dashboard/sign-in" }, "Back to sign in"))]);
  fill(box, load, draw, outline(1, "row"));
  return page;
}
