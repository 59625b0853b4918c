// Events: the list, with drafts.
import { h, icon } from "../dom.js";
import { badge, momentOf, publicationBadge, sinceOf, timeNode } from "../format.js";
import { listPage, textFilter } from "../list.js";
import { publicationStates } from "../publication.js";
import { addressOf } from "../shell.js";

const row = (slug) => (event) => [
  h("div", { class: "row-main" },
    h("a", { class: "row-link", href: addressOf(slug, "events", event.id) }, event.title),
    h("p", { class: "muted" }, timeNode(event.startsAt, momentOf(event.startsAt)),
      [event.isOnline ? "Online" : event.city, event.category].filter(Boolean).map((text) => ` · ${text}`))),
  h("div", { class: "row-marks" }, publicationBadge(event), event.status !== "SCHEDULED" && badge(event.status)),
  h("div", { class: "row-time muted" }, timeNode(event.updatedAt, sinceOf(event.updatedAt))),
];

export function eventsPage({ organisation, query }) {
  const fresh = () => h("a", { class: "btn btn-main", href: addressOf(organisation.slug, "events", "new") }, icon("plus"), "Add an event");
  return listPage({
    title: "Events",
    path: "/api/v1/events",
    key: "events",
    noun: ["event"],
    base: { organisationId: organisation.id },
    query,
    ...publicationStates,
    filters: [textFilter("q", "Search in events")],
    action: fresh(),
    row: row(organisation.slug),
    empty: () => h("div", { class: "empty" }, icon("events"), h("h2", {}, "No events yet"),
      h("p", {}, "Fairs, auctions and open days that you publish here can be found by anybody who looks for something to visit."), fresh()),
  });
}
