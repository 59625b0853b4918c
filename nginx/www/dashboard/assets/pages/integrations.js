// The programs of an organisation, and their tokens.
import { creating, get, remove, withQuery } from "../api.js";
import { attempt } from "../attempt.js";
import { confirm } from "../dialog.js";
import { h, icon, replace } from "../dom.js";
import { textField } from "../fields.js";
import { formDialog } from "../form_dialog.js";
import { momentOf, sinceOf, timeNode } from "../format.js";
import { fill, outline, refill } from "../loading.js";
import { say } from "../messages.js";
import { expiryOf, mintDialog, mintedDialog } from "../minting.js";
import { scopesText } from "../scopes.js";
import { addressOf } from "../shell.js";

const button = (label, about, kind, onclick) => h("button", { type: "button", class: `btn ${kind}`, "aria-label": `${label} ${about}`, onclick }, label);

function tokenRow(token, revoke) {
  const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h("li", { class: "row-item token" },
    h("div", { class: "row-main" }, h("h3", { class: "token-name" }, token.name), h("p", { class: "muted" }, scopesText(token.scopes))),
    h("dl", { class: "token-facts" }, fact("Made", timeNode(token.createdAt), token.createdBy && ` by ${token.createdBy.name}`), fact("Expires", ...expiryOf(token)),
      fact("Last used", token.lastUsedAt ? timeNode(token.lastUsedAt, sinceOf(token.lastUsedAt)) : "Never")),
    button("Revoke", `${token.name}, made ${momentOf(token.createdAt)}`, "btn-text-danger", revoke));
}

export function integrationsPage({ organisation }) {
  const admin = organisation.role === "ADMIN";
  const at = (path) => withQuery(`/api/v1/accounts/integrations${path}`, { organisationId: organisation.id });
  const box = h("div", {});
  let limit = 0;

  async function load() {
    const { integrations, tokenLimit } = (await get(at(""))).data;
    limit = tokenLimit;
    return integrations;
  }

  // Tells what the service refuses; afterwards all is shown as it is.
  async function act(work, done) {
    await attempt(async () => {
      await work();
      if (done) say(done);
    });
    await refill(box, load, draw);
  }

  async function add() {
    const name = textField({ name: "name", label: "Name", required: true, obvious: true, max: 120, hint: "The program or the firm that it is for. Such as “Nightly stock feed”." });
    const create = creating();
    const made = await formDialog("Add an integration", { fields: [name], yes: "Add it", send: async () => (await create(at(""), { name: name.get() })).data });
    if (!made) return;
    await act(async () => {}, `${made.name} is added. It needs a token.`);
    heading.focus();
  }

  async function mint(integration) {
    const last = integration.tokens.length < limit ? null : integration.tokens.at(-1);
    const minted = await mintDialog(at(`/${integration.id}/tokens`), last, integration.name);
    if (!minted) return;
    await mintedDialog(minted);
    await act(async () => {}, null);
    heading.focus();
  }

  async function revoke(integration, token) {
    const yes = await confirm(`Revoke ${token.name}?`, `${integration.name} is refused with it from now on. This cannot be undone.`, { yes: "Revoke" });
    if (!yes) return;
    await act(() => remove(at(`/${integration.id}/tokens/${token.id}`)), `Revoked: ${token.name}.`);
    heading.focus();
  }

  async function removeIntegration(integration) {
    const yes = await confirm(`Delete ${integration.name}?`, "All its tokens stop working at once. What it wrote stays.", { yes: "Delete" });
    if (!yes) return;
    await act(() => remove(at(`/${integration.id}`)), `${integration.name} is deleted.`);
    heading.focus();
  }

  const part = (integration) => h("section", {},
    h("div", { class: "page-head" }, h("h2", {}, integration.name), h("div", { class: "head-buttons" },
      button("Make a token", `for ${integration.name}`, "btn-quiet", () => mint(integration)), button("Delete", integration.name, "btn-text-danger", () => removeIntegration(integration)))),
    integration.tokens.length > 0
      ? h("ul", { class: "rows" }, integration.tokens.map((token) => tokenRow(token, () => revoke(integration, token))))
      : h("p", { class: "muted" }, "No tokens yet: it cannot do anything."));

  const draw = (integrations) => (integrations.length > 0 ? integrations.map(part)
    : h("div", { class: "empty" }, icon("key"), h("h2", {}, "No integrations yet"), h("p", {}, "A program that works for all of you gets one, so that its tokens stay when somebody leaves.")));

  const heading = h("h1", { tabIndex: -1 }, "Integrations");
  if (admin) fill(box, load, draw, outline(3, "row"));
  else replace(box, h("p", {}, "Only administrators see and change them."));
  const node = h("section", { class: "page" },
    h("a", { class: "back", href: addressOf(organisation.slug, "organisation") }, icon("left"), "Organisation"),
    h("div", { class: "page-head" }, heading, admin && h("button", { type: "button", class: "btn btn-main", onclick: add }, icon("plus"), "Add an integration")),
    h("p", { class: "muted lead-in" }, "An integration is a program that works for the organisation. It has the rights of a member and tokens of its own, which work for 90 days. A program can renew its token by itself; else make a second one, and revoke the first when the program has it. ",
      h("a", { href: "/docs/" }, "How programs use the API"), ". ", h("a", { href: addressOf(organisation.slug, "failures") }, "What failed of late"),
      admin && organisation.test && [". ", h("a", { href: addressOf(organisation.slug, "examination") }, "Examine your programs")]),
    box);
  return { title: "Integrations", node };
}
