// Settings: the user's own name and email, and the organisations.
import { get, post, remove, signedIn } from "../api.js";
import { attempt, orGone } from "../attempt.js";
import { h, replace } from "../dom.js";
import { textField } from "../fields.js";
import { emailNode, momentOf } from "../format.js";
import { fill, outline } from "../loading.js";
import { say } from "../messages.js";
import { sendingForm } from "../sending.js";
import { changeName, session } from "../session.js";
import { settingsPage } from "../settings.js";
import { addressOf, showUser } from "../shell.js";

const address = "/dashboard/api/email";
const panel = (...content) => h("div", { class: "panel stack narrow" }, content);

function namePart() {
  const name = textField({ name: "name", label: "Name", autocomplete: "name", required: true, obvious: true, max: 120, hint: "Your team sees it, and emails address you by it." });
  const form = sendingForm([name], "Save", async () => {
    await changeName(name.get());
    showUser();
    say("Your name is saved.");
  }, { values: session.user, wide: false });
  // After a sign-out there is no user, and nothing to be asked about.
  return { node: panel(form), unsaved: () => session.user !== null && name.get() !== session.user.name };
}

function emailPart() {
  const box = h("div", { tabIndex: -1 });
  const node = panel(h("p", {}, "You sign in with ", h("strong", {}, emailNode(session.user.email))), box);
  const email = textField({ name: "email", label: "New email", type: "email", autocomplete: "email", required: true, obvious: true, hint: "An email with a link goes there. Your email changes when you open it." });

  const show = (change) => {
    replace(box, draw(change));
    box.focus();
  };

  async function ask() {
    show((await post(address, { email: email.get() })).data);
    say("The email is on its way.");
  }

  async function withdraw() {
    if (!(await attempt(() => remove(address).catch(orGone)))) return;
    show({ newEmail: null });
    say(`Your email stays ${session.user.email}.`);
  }

  const draw = ({ newEmail, expiresAt }) => (newEmail === null
    ? sendingForm([email], "Send the email", ask, { wide: false })
    : h("div", { class: "notice" },
      h("p", {}, "An email is on its way to ", h("strong", {}, newEmail), ". Open its link by ", momentOf(expiresAt), ". Until then you sign in as before."),
      h("button", { type: "button", class: "btn btn-quiet", onclick: withdraw }, "Keep the old email")));

  fill(box, () => signedIn(async () => (await get(address)).data), draw, outline(1, "row"));
  return { node, unsaved: () => email.input.isConnected && email.get() !== null };
}

const organisationRow = (organisation) => h("li", { class: "row-item token" },
  h("div", { class: "row-main" },
    h("h3", { class: "token-name" }, h("a", { href: addressOf(organisation.slug, "organisation") }, organisation.name)),
    h("p", { class: "muted" }, organisation.role === "ADMIN" ? "Administrator" : "Member")),
  h("a", { class: "btn btn-quiet", href: addressOf(organisation.slug, "team"), "aria-label": `Team of ${organisation.name}` }, "Team"));

export function profilePage() {
  const name = namePart(), email = emailPart();
  const { organisations } = session.user;
  const node = settingsPage("Profile", "profile",
    h("div", { class: "stack" }, name.node, email.node,
      h("section", { class: "narrow" }, h("h2", { class: "part-title" }, "Organisations"),
        organisations.length > 0
          ? h("ul", { class: "rows" }, organisations.map(organisationRow))
          : h("p", { class: "muted" }, "You belong to no organisation. An administrator can invite you."))));
  return { title: "Profile", node, unsaved: () => name.unsaved() || email.unsaved() };
}
