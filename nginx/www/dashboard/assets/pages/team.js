// Who belongs to an organisation, and who is invited.
import { creating, get, patch, post, remove, withQuery } from "../api.js";
import { attempt, orGone } from "../attempt.js";
import { confirm, dialog } from "../dialog.js";
import { h, icon, newId } from "../dom.js";
import { choiceField, textField } from "../fields.js";
import { formDialog } from "../form_dialog.js";
import { emailNode, timeNode } from "../format.js";
import { fill, outline, refill } from "../loading.js";
import { say } from "../messages.js";
import { go } from "../router.js";
import { loadSession, organisationBySlug, session } from "../session.js";
import { addressOf } from "../shell.js";

const roles = [["MEMBER", "Member"], ["ADMIN", "Administrator"]];
const roleName = (role) => roles.find(([value]) => value === role)[1];
const button = (label, about, kind, onclick) => h("button", { type: "button", class: `btn ${kind}`, "aria-label": `${label} ${about}`, onclick }, label);

export function teamPage({ organisation }) {
  const isAdmin = () => organisationBySlug(organisation.slug)?.role === "ADMIN";
  const at = (path, more = {}) => withQuery(`/api/v1/accounts/${path}`, { organisationId: organisation.id, ...more });
  const box = h("div", {});

  // Who was made a member since the session was read sees what members see.
  async function orMember(failure) {
    if (failure.status === 403) await loadSession();
    if (failure.status !== 403 || isAdmin()) throw failure;
    return null;
  }

  async function load() {
    const [members, invitations] = await Promise.all([get(at("members")), isAdmin() ? get(at("invitations")).catch(orMember) : null]);
    return { members: members.data.members, invitations: invitations?.data.invitations ?? [] };
  }

  // Tells what the service refuses; afterwards all is shown as it is.
  async function act(work, done) {
    await attempt(async () => {
      await work();
      say(done);
    });
    await refill(box, load, draw);
    heading.focus();
  }

  // The tokens of integrations that somebody created. Members do not see them.
  async function tokensBy(userId) {
    const answer = isAdmin() ? await get(at("integrations")).catch(orMember) : null;
    return (answer?.data.integrations ?? []).flatMap(({ name, tokens }) => tokens.filter(({ createdBy }) => createdBy?.id === userId).map((token) => `${token.name}, of ${name}`));
  }

  // Asks before somebody's right ends; `text` is null where that needs no question unless there are such tokens. Resolves to the query of the
  // request, or to null when it is not to be sent.
  async function askEnding(userId, title, text, yes) {
    const tokens = await attempt(() => tokensBy(userId));
    if (!tokens) return null;
    if (tokens.length === 0) return text === null || await confirm(title, text, { yes }) ? {} : null;
    const id = newId("revoke");
    const revoke = h("input", { type: "checkbox", class: "form-check-input", id });
    return dialog(title, (close) => [
      text !== null && h("p", {}, text),
      h("p", {}, "Tokens of integrations that this person created, and may still have:"),
      h("ul", {}, tokens.map((token) => h("li", {}, token))),
      h("div", { class: "form-check" }, revoke, h("label", { class: "form-check-label", htmlFor: id }, "Revoke these tokens, too. Programs that use them stop working.")),
      h("div", { class: "dialog-buttons" },
        h("button", { type: "button", class: "btn btn-quiet", autofocus: true, onclick: () => close(null) }, "Cancel"),
        h("button", { type: "button", class: "btn btn-danger", onclick: () => close({ revokeIntegrationTokens: revoke.checked }) }, yes)),
    ]);
  }

  async function changeRole(member) {
    const admin = member.role === "ADMIN";
    const query = admin ? await askEnding(member.userId, `Make ${member.name} a member?`, null, "Make a member") : {};
    if (query) await act(() => patch(at(`members/${member.userId}`, query), { role: admin ? "MEMBER" : "ADMIN" }), `${member.name} is ${admin ? "a member" : "an administrator"} now.`);
  }

  async function removeMember(member) {
    const query = await askEnding(member.userId, `Remove ${member.name}?`, `They no longer see or change anything of ${organisation.name}.`, "Remove");
    if (query) await act(() => remove(at(`members/${member.userId}`, query)).catch(orGone), `${member.name} is no member any more.`);
  }

  async function leave() {
    const query = await askEnding(session.user.id, `Leave ${organisation.name}?`, "You no longer see or change anything of it. An administrator can invite you again.", "Leave");
    if (!query) return;
    const left = await attempt(async () => {
      await remove(at(`members/${session.user.id}`, query));
      await loadSession();
      return true;
    });
    if (!left) return;
    await go("/dashboard/", { replace: true });
    say(`You have left ${organisation.name}.`);
  }

  async function invite() {
    const email = textField({ name: "email", label: "Email", type: "email", required: true, obvious: true });
    const role = choiceField({ name: "role", label: "Role", required: true, obvious: true, hint: "Administrators can also delete records, change the organisation and choose who belongs to it." }, roles, { empty: null });
    role.set("MEMBER");
    const send = creating();
    const made = await formDialog("Invite somebody", {
      before: h("p", {}, "They get an email with a link, which works for seven days."),
      fields: [email, role],
      yes: "Invite",
      send: async () => (await send(at("invitations"), { email: email.get(), role: role.get() })).data,
    });
    if (made) await act(async () => {}, `An invitation to ${made.email} is on its way.`);
  }

  const again = (invitation) => act(() => post(at("invitations"), { email: invitation.email, role: invitation.role }), `Another email to ${invitation.email} is on its way.`);
  const withdraw = (invitation) => act(() => remove(at(`invitations/${invitation.id}`)).catch(orGone), `The invitation to ${invitation.email} is withdrawn.`);

  const row = (name, facts, ...buttons) => h("li", { class: "row-item token" },
    h("div", { class: "row-main" }, h("h3", { class: "token-name" }, name), h("p", { class: "muted" }, facts)), buttons);

  function memberRow(member) {
    const self = member.userId === session.user.id;
    return row([member.name, self && [" ", h("span", { class: "mark mark-plain" }, "You")]], [emailNode(member.email), " · ", roleName(member.role)],
      isAdmin() && !self && button(member.role === "ADMIN" ? "Make a member" : "Make an administrator", member.name, "btn-quiet", () => changeRole(member)),
      isAdmin() && !self && button("Remove", member.name, "btn-text-danger", () => removeMember(member)),
      self && button("Leave", organisation.name, "btn-text-danger", leave));
  }

  const invitationRow = (invitation) => row(invitation.email, [roleName(invitation.role), " · until ", timeNode(invitation.expiresAt)],
    button("Send again", `to ${invitation.email}`, "btn-quiet", () => again(invitation)),
    button("Withdraw", invitation.email, "btn-text-danger", () => withdraw(invitation)));

  const inviting = h("button", { type: "button", class: "btn btn-main", onclick: invite, hidden: !isAdmin() }, icon("plus"), "Invite somebody");

  function draw({ members, invitations }) {
    inviting.hidden = !isAdmin();
    return [
      h("h2", {}, "Members"), h("ul", { class: "rows" }, members.map(memberRow)),
      invitations.length > 0 && [h("h2", { class: "part-title" }, "Invited"), h("ul", { class: "rows" }, invitations.map(invitationRow))],
    ];
  }

  fill(box, load, draw, outline(3, "row"));
  const heading = h("h1", { tabIndex: -1 }, "Team");
  const node = h("section", { class: "page" },
    h("a", { class: "back", href: addressOf(organisation.slug, "organisation") }, icon("left"), "Organisation"),
    h("div", { class: "page-head" }, heading, inviting),
    box);
  return { title: "Team", node };
}
