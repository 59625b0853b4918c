// Enquiries: the inbox. New ones are noticed while it is open.
import { h, icon, replace } from "../dom.js";
import { badge, many, nameOf, sinceOf, timeNode } from "../format.js";
import { choiceFilter, listPage, textFilter } from "../list.js";
import { addressOf } from "../shell.js";
import { onNews } from "../watch.js";

const options = (...values) => values.map((value) => [value, nameOf(value)]);
const firstLine = (text) => text.trim().split("\n", 1)[0].slice(0, 160);

// What it is about, as far as that is known.
const subjectOf = ({ stock, job }) => (stock ?? job)?.title;

const row = (slug) => (enquiry) => [
  h("div", { class: "row-main" },
    h("a", { class: enquiry.status === "NEW" ? "row-link strong" : "row-link", href: addressOf(slug, "enquiries", enquiry.id) }, enquiry.name),
    subjectOf(enquiry) && h("p", { class: "one-line" }, subjectOf(enquiry)),
    h("p", { class: "muted one-line" }, firstLine(enquiry.message))),
  h("div", { class: "row-marks" }, badge(enquiry.status), h("span", { class: "mark mark-plain" }, nameOf(enquiry.type))),
  h("div", { class: "row-time muted" }, timeNode(enquiry.createdAt, sinceOf(enquiry.createdAt))),
];

export function enquiriesPage({ organisation, query }) {
  // What came since is offered and not pushed in: the list must not move under the pointer.
  const news = h("div", { class: "news", role: "status" });
  const arrived = new Set();
  const shown = new Set();
  const page = listPage({
    title: "Enquiries",
    path: "/api/v1/enquiries",
    key: "enquiries",
    noun: ["enquiry", "enquiries"],
    base: { organisationId: organisation.id },
    query,
    states: options("NEW", "READ", "REPLIED", "CLOSED", "SPAM"),
    filters: [textFilter("q", "Search in enquiries"), choiceFilter("type", "About", options("STOCK", "JOB", "GENERAL"))],
    note: news,
    row: row(organisation.slug),
    loaded(data) {
      for (const enquiry of data.enquiries) shown.add(enquiry.id);
      arrived.clear();
      replace(news);
    },
    empty: () => h("div", { class: "empty" }, icon("inbox"), h("h2", {}, "No enquiries yet"),
      h("p", {}, "What people write about your stock and your jobs arrives here, without loading the page again.")),
  });
  onNews(page.node, (changed) => {
    for (const enquiry of changed) if (enquiry.status === "NEW" && !shown.has(enquiry.id)) arrived.add(enquiry.id);
    if (arrived.size === 0) return;
    replace(news, h("div", { class: "notice" }, h("p", {}, `${many(arrived.size, "new enquiry", "new enquiries")} since you opened this page.`),
      h("button", { type: "button", class: "btn btn-main btn-small", onclick: () => {
        page.node.querySelector("h1").focus();
        page.reload();
      } }, "Show")));
  });
  return page;
}
