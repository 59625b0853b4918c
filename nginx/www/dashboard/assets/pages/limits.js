// How much an organisation has of each kind, and how much it may have.
import { get, withQuery } from "../api.js";
import { h, icon } from "../dom.js";
import { sizeOf } from "../format.js";
import { fill, outline } from "../loading.js";
import { addressOf } from "../shell.js";

const count = (number) => new Intl.NumberFormat("en-GB").format(number);
// By kind: its name, and how its amounts are written.
const kinds = {
  MEMBERS: ["Members", count],
  STOCK_ITEMS: ["Stock items", count],
  JOBS: ["Jobs", count],
  EVENTS: ["Events", count],
  POSTS: ["Posts", count],
  ENQUIRIES: ["Enquiries", count],
  UPLOADS: ["Files", count],
  PENDING_UPLOADS: ["Files that are being uploaded", count],
  UPLOAD_BYTES: ["Space for files", sizeOf],
  QUEUED_MESSAGES: ["Messages that wait for webhooks", count],
  KEPT_ANSWER_BYTES: ["Answers kept for programs", sizeOf],
  AUDIT_EVENTS: ["Events of the audit log", count],
};
const beyond = {
  REFUSED: "At the limit new ones are refused. Remove some, or ask whoever runs this service for a higher limit.",
  MERGED: "Beyond the limit older messages about an item are left out in favour of later ones.",
  REMOVED: "Beyond the limit the oldest are removed each night.",
};
// From nine tenths on.
const isNear = ({ used, limit }) => used >= 0.9 * limit;

function warning(usage) {
  const [name, amount] = kinds[usage.kind];
  return h("p", {}, h("strong", {}, `${name}: ${amount(usage.used)} of ${amount(usage.limit)}.`), " ", beyond[usage.beyond]);
}

function row(usage) {
  const [name, amount] = kinds[usage.kind];
  return h("tr", {},
    h("th", { scope: "row" }, name, isNear(usage) && [" ", h("span", { class: "mark mark-warn" }, usage.used >= usage.limit ? "Full" : "Nearly full")]),
    h("td", {}, amount(usage.used)), h("td", {}, amount(usage.limit)));
}

function draw(all) {
  // A newer service may have more.
  const known = all.filter(({ kind }) => kinds[kind]), near = known.filter(isNear);
  return [
    near.length > 0 && h("div", { class: "notice notice-warn" }, near.map(warning)),
    h("table", { class: "amounts" },
      h("caption", { class: "visually-hidden" }, "Limits"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Kind"), h("th", { scope: "col" }, "Used"), h("th", { scope: "col" }, "Limit"))),
      h("tbody", {}, known.map(row))),
  ];
}

export function limitsPage({ organisation }) {
  const box = h("div", {});
  fill(box, async () => (await get(withQuery("/dashboard/api/usage", { organisationId: organisation.id }))).data.usage, draw, outline(8));
  const node = h("section", { class: "page" },
    h("a", { class: "back", href: addressOf(organisation.slug, "organisation") }, icon("left"), "Organisation"),
    h("div", { class: "page-head" }, h("h1", { tabIndex: -1 }, "Limits")),
    h("p", { class: "muted" }, "How much your organisation has of each kind, and how much it may have."),
    box);
  return { title: "Limits", node };
}
