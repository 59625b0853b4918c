// The webhooks of an organisation: addresses of its software that are told what happens.
import { creating, get, patch, post, remove, withQuery } from "../api.js";
import { attempt, oneAtATime } from "../attempt.js";
import { checksField } from "../checks.js";
import { deliveriesDialog, eventName, events } from "../deliveries.js";
import { confirm } from "../dialog.js";
import { h, icon, replace } from "../dom.js";
import { textField } from "../fields.js";
import { formDialog } from "../form_dialog.js";
import { listOf, timeNode } from "../format.js";
import { fill, outline, refill } from "../loading.js";
import { say } from "../messages.js";
import { copied, onceDialog } from "../minting.js";
import { addressOf } from "../shell.js";

const reasons = { GONE: "it answered that it is gone", FAILING: "it failed for three days" };
const button = (label, about, kind, onclick) => h("button", { type: "button", class: `btn ${kind}`, "aria-label": `${label}: ${about}`, onclick }, label);

const secretDialog = (title, secret) => onceDialog(title, "Copy the secret now, with which your software checks who sends: it is shown this once.",
  (done) => copied("secret", "Secret", secret, { rows: 1, done }));

export function webhooksPage({ organisation }) {
  const admin = organisation.role === "ADMIN";
  const at = (path = "") => withQuery(`/api/v1/webhooks${path}`, { organisationId: organisation.id });
  const below = (webhook) => (path) => at(`/${webhook.id}/${path}`);
  const box = h("div", {});
  const load = async () => (await get(at())).data;

  async function refresh() {
    await refill(box, load, draw);
    heading.focus();
  }

  // Tells what the service refuses; afterwards all is shown as it is.
  async function act(work, done) {
    await attempt(async () => {
      await work();
      say(done);
    });
    await refresh();
  }

  function formOf(title, yes, webhook, send) {
    const url = textField({ name: "url", label: "Address", type: "url", required: true, obvious: true, max: 2048, hint: "It begins with “https://”. Whoever made your software knows it." });
    const wanted = checksField({ name: "events", label: "It is told about", required: true }, events);
    url.set(webhook?.url ?? null);
    wanted.set(webhook?.events ?? []);
    return formDialog(title, { fields: [url, wanted], yes, send: async () => (await send({ url: url.get(), events: wanted.get() })).data });
  }

  async function create() {
    const add = creating();
    const made = await formOf("Add a webhook", "Add it", null, (body) => add(at(), body));
    if (!made) return;
    await secretDialog("The webhook is ready", made.secret);
    await refresh();
  }

  async function edit(webhook) {
    if (await formOf("Change the webhook", "Save", webhook, (body) => patch(at(`/${webhook.id}`), body))) await act(async () => {}, "The webhook is changed.");
  }

  async function rotate(webhook) {
    const yes = await confirm("Make a new secret?", "The old one goes on working beside it for 24 hours.", { yes: "Make it", danger: false });
    if (!yes) return;
    const made = await attempt(() => post(below(webhook)("secret")));
    if (made) await secretDialog("The new secret", made.data.secret);
    await refresh();
  }

  async function test(webhook) {
    if (await attempt(() => post(below(webhook)("test")))) await showDeliveries(webhook);
  }

  async function showDeliveries(webhook) {
    await deliveriesDialog(webhook, below(webhook));
    await refresh();
  }

  async function destroy(webhook) {
    const yes = await confirm("Delete this webhook?", `${webhook.url} is told nothing any more, and what waits for it is dropped.`, { yes: "Delete" });
    if (yes) await act(() => remove(at(`/${webhook.id}`)), "The webhook is deleted.");
  }

  const turn = (webhook, active) => act(() => patch(at(`/${webhook.id}`), { active }), active ? "The webhook is on." : "The webhook is off.");

  function stateOf(webhook) {
    if (!webhook.active) return [h("span", { class: "mark mark-bad" }, "Off"), webhook.disabledReason && ` because ${reasons[webhook.disabledReason]}`];
    if (webhook.failingSince) return [h("span", { class: "mark mark-warn" }, "Failing"), " since ", timeNode(webhook.failingSince)];
    return h("span", { class: "mark mark-good" }, "On");
  }

  const row = (webhook) => h("li", { class: "row-item token" },
    h("div", { class: "row-main" }, h("h2", { class: "token-name" }, webhook.url),
      h("p", { class: "muted" }, stateOf(webhook), " · ", listOf(webhook.events.map(eventName)))),
    h("div", { class: "row-buttons" },
      button("Deliveries", webhook.url, "btn-quiet", () => showDeliveries(webhook)),
      webhook.active && button("Test", webhook.url, "btn-quiet", oneAtATime(() => test(webhook))),
      button("Change", webhook.url, "btn-quiet", () => edit(webhook)),
      button("New secret", webhook.url, "btn-quiet", () => rotate(webhook)),
      button(webhook.active ? "Switch off" : "Switch on", webhook.url, "btn-quiet", () => turn(webhook, !webhook.active)),
      button("Delete", webhook.url, "btn-text-danger", () => destroy(webhook))));

  const draw = ({ webhooks, limit }) => [
    h("p", { class: "muted", role: "status" }, webhooks.length ? `${webhooks.length} of ${limit} in use.` : ""),
    webhooks.length > 0
      ? h("ul", { class: "rows" }, webhooks.map(row))
      : h("div", { class: "empty" }, icon("inbox"), h("h2", {}, "No webhooks yet"), h("p", {}, "Your software can be told of enquiries and changes as they happen.")),
  ];

  if (admin) fill(box, load, draw, outline(3, "row"));
  else replace(box, h("p", {}, "Only administrators see and change webhooks."));
  const heading = h("h1", { tabIndex: -1 }, "Webhooks");
  const node = h("section", { class: "page" },
    h("a", { class: "back", href: addressOf(organisation.slug, "organisation") }, icon("left"), "Organisation"),
    h("div", { class: "page-head" }, heading, admin && h("button", { type: "button", class: "btn btn-main", onclick: create }, icon("plus"), "Add a webhook")),
    h("p", { class: "muted lead-in" }, "A webhook tells your software what happens, as it happens. ", h("a", { href: "/docs/webhooks" }, "How webhooks work")),
    box);
  return { title: "Webhooks", node };
}
