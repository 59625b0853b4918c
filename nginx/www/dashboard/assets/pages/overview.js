// The overview: what waits for somebody, each figure a link to what it counts.
import { withQuery } from "../api.js";
import { weeksChart } from "../chart.js";
import { h, pauses } from "../dom.js";
import { durationOf, many, momentOf, numberOf, timeNode } from "../format.js";
import { fill, outline } from "../loading.js";
import { loadOverview } from "../overview_data.js";
import { addressOf } from "../shell.js";
import { onNews } from "../watch.js";

const panel = (title, ...content) => h("section", { class: "panel" }, h("h2", { class: "panel-title" }, title), content);

// [name, count, address of the list]; an unknown count is left out.
const figures = (...all) => h("ul", { class: "figures" }, all.filter(([, count]) => count !== null).map(([name, count, href]) =>
  h("li", {}, h("a", { class: count > 0 ? "figure" : "figure figure-none", href }, h("span", { class: "figure-count" }, numberOf(count)), " ", h("span", {}, name)))));

function waiting(oldest, slug) {
  if (!oldest) return h("p", { class: "oldest" }, "No enquiry is waiting for a reply.");
  const seconds = (Date.now() - new Date(oldest.createdAt)) / 1000;
  const subject = (oldest.stock ?? oldest.job)?.title;
  return h("p", { class: "oldest" }, "Longest without an answer: ", h("a", { href: addressOf(slug, "enquiries", oldest.id) }, oldest.name),
    subject && ` about ${subject}`, ", for ", h("strong", {}, timeNode(oldest.createdAt, durationOf(seconds))), ".");
}

function replies({ replies: count, medianReplySeconds: median }, list) {
  if (median === null) return h("p", { class: "muted" }, "Reply times appear here once you mark enquiries as replied.");
  return h("p", {}, "Time to reply: ", h("a", { href: withQuery(list, { status: "REPLIED" }) }, h("strong", {}, durationOf(median))),
    h("span", { class: "muted" }, ` in the middle of ${many(count, "reply", "replies")} in 90 days.`));
}

// Functions that make one panel each.
function panels(organisation, { enquiries, stock, jobs }) {
  const at = (part, query = {}) => withQuery(addressOf(organisation.slug, part), query);
  const published = (query) => at("stock", { status: "PUBLISHED", ...query });
  const { byAvailability: has } = stock;
  return [
    () => panel("Enquiries",
      figures(["New", enquiries.byStatus.NEW, at("enquiries", { status: "NEW" })], ["Read, not answered", enquiries.byStatus.READ, at("enquiries", { status: "READ" })]),
      waiting(enquiries.oldestUnanswered, organisation.slug), replies(enquiries, at("enquiries")),
      enquiries.weeks.some(({ count }) => count > 0) && weeksChart("Enquiries per week", enquiries.weeks, (week) => at("enquiries", { week }), ["enquiry", "enquiries"])),
    () => panel("Stock",
      figures(["Due in", has.DUE_IN, published({ availability: "DUE_IN" })], ["In stock", has.IN_STOCK, published({ availability: "IN_STOCK" })],
        ["Reserved", has.RESERVED, published({ availability: "RESERVED" })], ["Sold", has.SOLD, published({ availability: "SOLD" })]),
      h("h3", {}, "To do"),
      figures(["Drafts", stock.byStatus.DRAFT, at("stock", { status: "DRAFT" })], ["Published without pictures", stock.withoutImages, published({ hasImages: "false" })])),
    () => panel("Jobs",
      figures(["Published", jobs.byStatus.PUBLISHED, at("jobs", { status: "PUBLISHED" })], ["Drafts", jobs.byStatus.DRAFT, at("jobs", { status: "DRAFT" })],
        ["Ending within 14 days", jobs.endingSoon, at("jobs", { status: "PUBLISHED", ends: 14 })])),
  ];
}

export function overviewPage({ organisation }) {
  const box = h("div", {});
  const asOf = h("p", { class: "muted count-line" });
  async function draw({ data }) {
    const pause = pauses(), made = h("div", { class: "overview" });
    for (const make of panels(organisation, data)) {
      made.append(make());
      await pause();
    }
    asOf.textContent = `As of ${momentOf(Date.now())}`;
    return made;
  }
  const show = (before) => fill(box, () => loadOverview(organisation), draw, before);
  show(outline(3, "panel"));
  const node = h("section", { class: "page" }, h("h1", {}, "Overview"), asOf, box);
  // What is shown stays until the new figures are there.
  onNews(node, (changed) => changed.length > 0 && !box.contains(document.activeElement) && show([...box.childNodes]));
  return { title: "Overview", node };
}
