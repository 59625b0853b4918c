// Stock: the list.
import { h, icon } from "../dom.js";
import { badge, nameOf, priceOf, sinceOf, timeNode } from "../format.js";
import { choiceFilter, listPage, textFilter } from "../list.js";
import { addressOf } from "../shell.js";

const options = (...values) => values.map((value) => [value, nameOf(value)]);
export const availabilities = options("IN_STOCK", "DUE_IN", "RESERVED", "SOLD");

const kindOf = (item) => [item.year, item.make, item.model, item.variant].filter(Boolean).join(" ");

// The first picture that there is already.
function thumbOf(item) {
  const image = item.images.find((each) => each.url);
  return image ? h("img", { src: image.thumbnailUrl ?? image.url, alt: "", loading: "lazy" }) : icon("picture");
}

const row = (slug) => (item) => [
  h("div", { class: "thumb" }, thumbOf(item)),
  h("div", { class: "row-main" },
    h("a", { class: "row-link", href: addressOf(slug, "stock", item.id) }, item.title),
    h("p", { class: "muted" }, h("span", { class: "code" }, item.reference), kindOf(item) && ` · ${kindOf(item)}`)),
  h("div", { class: "row-figure" }, priceOf(item.price, item.currency)),
  h("div", { class: "row-marks" }, badge(item.status), badge(item.availability)),
  h("div", { class: "row-time muted" }, timeNode(item.updatedAt, sinceOf(item.updatedAt))),
];

export function stockPage({ organisation, query }) {
  const fresh = () => h("a", { class: "btn btn-main", href: addressOf(organisation.slug, "stock", "new") }, icon("plus"), "Add an item");
  return listPage({
    title: "Stock",
    path: "/api/v1/stock",
    key: "stock",
    noun: ["item"],
    base: { organisationId: organisation.id },
    query,
    states: options("DRAFT", "PUBLISHED", "ARCHIVED"),
    filters: [
      textFilter("q", "Search in stock"),
      choiceFilter("availability", "Availability", availabilities),
      choiceFilter("hasImages", "Pictures", [["true", "With pictures"], ["false", "Without pictures"]]),
      choiceFilter("sort", "Order", [["updated", "Changed last"], ["price", "Lowest price first"], ["-price", "Highest price first"],
        ["-year", "Newest year first"], ["year", "Oldest year first"]], "Order: as added"),
    ],
    action: fresh(),
    row: row(organisation.slug),
    empty: () => h("div", { class: "empty" }, icon("stock"), h("h2", {}, "No stock yet"),
      h("p", {}, "What you add here can be published to the marketplace, with pictures and a price."), fresh()),
  });
}
