// The enquiries about an item or a job, beside its form: the newest, and the way to all.
import { get, signedIn, withQuery } from "./api.js";
import { h } from "./dom.js";
import { badge, many, sinceOf, timeNode } from "./format.js";
import { fill, outline } from "./loading.js";
import { section } from "./record.js";
import { addressOf } from "./shell.js";

const shown = 5;

// `about`: {stockId} or {jobId}.
export function enquiriesAbout(organisation, about) {
  const box = h("div", { class: "wide" });
  const list = addressOf(organisation.slug, "enquiries");
  const row = (enquiry) => h("li", {},
    h("a", { href: withQuery(addressOf(organisation.slug, "enquiries", enquiry.id), about) }, enquiry.name), badge(enquiry.status),
    h("span", { class: "muted" }, timeNode(enquiry.createdAt, sinceOf(enquiry.createdAt))));
  fill(box, () => signedIn(() => get(withQuery("/api/v1/enquiries", { organisationId: organisation.id, ...about, limit: shown }))), ({ data }) =>
    data.total === 0 ? h("p", { class: "muted" }, "Nobody has written about it yet.")
      : [h("ul", { class: "related" }, data.enquiries.map(row)),
        h("p", {}, h("a", { href: withQuery(list, about) }, data.total > shown ? `All ${many(data.total, "enquiry", "enquiries")}` : "Show them in the list"))],
  outline(2));
  return section("Enquiries", box);
}
