// Stock: the list.
import { stockActions } from "../bulk_stock.js";
import { currencyDigits } from "../codes.js";
import { h, icon } from "../dom.js";
import { nameOf, sinceOf, timeNode } from "../format.js";
import { choiceField, integerField, priceField, textField } from "../fields.js";
import { choiceFilter, listPage, textFilter } from "../list.js";
import { moreFilters } from "../more_filters.js";
import { availabilityButtons, changeRow, priceButton, statusMenu } from "../quick.js";
import { recentMenu } from "../recent.js";
import { addressOf } from "../shell.js";

const unsold = ["DUE_IN", "IN_STOCK", "RESERVED"];
// What is no number of days goes to the service, which says so.
function daysAgo(days) {
  const day = new Date(Date.now() - days * 24 * 3600_000);
  return Number.isNaN(day.getTime()) ? days : day.toISOString().slice(0, 10);
}

const options = (...values) => values.map((value) => [value, nameOf(value)]);
export const availabilities = options("DUE_IN", "IN_STOCK", "RESERVED", "SOLD");

const kindOf = (item) => [item.year, item.make, item.model, item.variant].filter(Boolean).join(" ");

// The first picture that there is already.
function thumbOf(item) {
  const image = item.images.find((each) => each.url);
  return image ? h("img", { src: image.thumbnailUrl ?? image.url, alt: "", loading: "lazy" }) : icon("picture");
}

const row = (slug) => (item, draw) => {
  const change = changeRow(`/api/v1/stock/${item.id}`, item, draw);
  return [
    h("div", { class: "thumb" }, thumbOf(item)),
    h("div", { class: "row-main" },
      h("a", { class: "row-link", href: addressOf(slug, "stock", item.id) }, item.title),
      h("p", { class: "muted" }, h("span", { class: "code" }, item.reference), kindOf(item) && ` · ${kindOf(item)}`)),
    h("div", { class: "row-figure" }, priceButton(item, change)),
    h("div", { class: "row-marks" }, statusMenu(item, change), availabilityButtons(item, change)),
    h("div", { class: "row-time muted" }, timeNode(item.updatedAt, sinceOf(item.updatedAt))),
  ];
};

// Of what was shown last: prices are asked for in its smallest unit.
let currency = "GBP";
const digits = () => currencyDigits(currency);

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
      moreFilters(() => [
        textField({ name: "make", label: "Make" }), textField({ name: "model", label: "Model" }),
        priceField({ name: "priceMin", label: "Price from" }, digits, () => ""), priceField({ name: "priceMax", label: "Price to" }, digits, () => ""),
        integerField({ name: "yearMin", label: "Year from" }), integerField({ name: "yearMax", label: "Year to" }),
        choiceField({ name: "unsold", label: "Unsold" }, [["30", "For 30 days"], ["60", "For 60 days"], ["90", "For 90 days"]]),
      ]),
    ],
    ask: ({ unsold: days, ...rest }) => (days ? { ...rest, createdTo: daysAgo(days), availability: rest.availability ?? unsold } : rest),
    action: h("div", { class: "head-buttons" }, recentMenu("stock", organisation, (id) => addressOf(organisation.slug, "stock", id)),
      h("a", { class: "btn btn-quiet", href: addressOf(organisation.slug, "stock", "csv") }, "Import or export"), fresh()),
    loaded({ stock: [item] }) {
      const before = digits();
      currency = item?.currency ?? currency;
      return digits() !== before;
    },
    row: row(organisation.slug),
    actions: stockActions(organisation),
    most: 5000,
    empty: () => h("div", { class: "empty" }, icon("stock"), h("h2", {}, "No stock yet"),
      h("p", {}, "What you add here can be published to the marketplace, with pictures and a price."), fresh()),
  });
}
