// Stock: one item, new or there already.
import { get } from "../api.js";
import { previewItem } from "../buyer_preview.js";
import { currencyDigits } from "../codes.js";
import { documentsControl } from "../documents.js";
import { h, newId } from "../dom.js";
import { copied, copyNote, duplicateLink, startOf } from "../duplicate.js";
import { editor } from "../editor.js";
import { choiceField, integerField, priceField, textField } from "../fields.js";
import { badge, nameOf, timeNode, momentOf } from "../format.js";
import { pairsControl } from "../pairs.js";
import { picturesControl } from "../pictures.js";
import { currencyField, currencyOf } from "../places.js";
import { availabilityButtons } from "../quick.js";
import { forgetOne, noteOpened } from "../recent.js";
import { recordHistory } from "../record_history.js";
import { aside, recordPage, section, soon } from "../record.js";
import { enquiriesAbout } from "../related.js";
import { addressOf } from "../shell.js";
import { categories, suggestionsFor } from "../suggestions.js";
import { availabilities } from "./stock.js";

function categoryField() {
  const list = newId("categories");
  return textField({ name: "category", label: "Category", max: 80, list, after: h("datalist", { id: list }, categories.map((value) => h("option", { value }))),
    hint: "Such as Car or Trailer: “Further details” then suggests what matches." });
}

function attributesControl({ input }) {
  const control = pairsControl({ name: "attributes", label: "Further details", suggested: () => suggestionsFor(input.value) });
  input.addEventListener("input", control.suggest);
  return control;
}

const controlsOf = (organisation) => ({
  title: () => textField({ name: "title", label: "Title", required: true, max: 150, wide: true }),
  reference: () => textField({ name: "reference", label: "Reference", required: true, max: 64, hint: "Your stock number: each item has its own." }),
  category: categoryField,
  make: () => textField({ name: "make", label: "Make", max: 80 }),
  model: () => textField({ name: "model", label: "Model", max: 80 }),
  variant: () => textField({ name: "variant", label: "Variant", max: 80 }),
  year: () => integerField({ name: "year", label: "Year" }),
  condition: () => choiceField({ name: "condition", label: "Condition" }, ["NEW", "USED", "REFURBISHED"].map((value) => [value, nameOf(value)])),
  currency: () => currencyField({ name: "currency", label: "Currency", hint: "Needed to publish." }),  // before the price, which is read with it
  price: ({ currency: { input } }) => priceField({ name: "price", label: "Price", hint: "Such as 19995.00. Needed to publish." }, () => currencyDigits(input.value), () => input.value),
  availability: () => choiceField({ name: "availability", label: "Availability" }, availabilities, { empty: null }),
  description: () => textField({ name: "description", label: "Description", rows: 8, max: 20000, wide: true }),
  attributes: ({ category }) => attributesControl(category),
  images: () => picturesControl({ organisationId: organisation.id }),
  documents: () => documentsControl({ organisationId: organisation.id }),
});

function content(c, related, history) {
  const [beside, end] = aside([section("Pictures", h("div", { class: "wide" }, c.images.node))],
    [section("Documents", h("div", { class: "wide" }, c.documents.node)), related, history].filter(Boolean));
  return [
    section("Item", c.title.node, c.reference.node, c.availability.node, c.description.node),
    beside,
    section("Price", c.price.node, c.currency.node),
    section("Vehicle", c.category.node, c.condition.node, c.make.node, c.model.node, c.variant.node, c.year.node),
    section("Further details", h("div", { class: "wide" }, c.attributes.node)),
    end,
  ];
}

const publish = { label: "Publish", change: { status: "PUBLISHED" }, done: "Published: buyers see it now.", needs: () => ["price", "currency"] };

function buttons(record) {
  if (!record) return [{ label: "Save as draft", kind: "main", done: "Saved as a draft: nobody else sees it." }, publish];
  const save = { label: "Save", kind: "main" };
  if (record.status === "DRAFT") return [save, publish];
  if (record.status === "ARCHIVED") return [save, { label: "Back to draft", change: { status: "DRAFT" }, done: "It is a draft again." }];
  return [save, { label: "Archive", change: { status: "ARCHIVED" }, done: "Archived: buyers no longer see it.", ask: { title: "Archive this item?", text: "Readers no longer see it. It can become a draft again." } }];
}

export function stockItemPage({ organisation, params, query }) {
  const read = (id) => () => get(`/api/v1/stock/${encodeURIComponent(id)}`);
  const belongs = (item) => item.organisationId === organisation.id;
  const made = soon(controlsOf(organisation));
  const tools = (item) => h("div", { class: "head-buttons about-tools" },
    duplicateLink(`${addressOf(organisation.slug, "stock", "new")}?copy=${item.id}`),
    h("button", { type: "button", class: "btn btn-quiet btn-small", onclick: async () => previewItem(await made, item, organisation) }, "Preview"),
    h("a", { class: "btn btn-quiet btn-small", href: addressOf(organisation.slug, "stock", item.id, "sheet") }, "Windscreen sheet"));
  return recordPage({
    params,
    back: { address: addressOf(organisation.slug, "stock"), text: "Stock" },
    newTitle: "New stock item",
    titleOf: (item) => item.title,
    aboutClass: "about-stock",
    about: (item, apply) => [badge(item.status), availabilityButtons(item, apply), h("span", { class: "muted" }, "Changed ", timeNode(item.updatedAt, momentOf(item.updatedAt))), tools(item)],
    load: read(params.id),
    opened: (item) => noteOpened("stock", organisation, item),
    gone: (id) => forgetOne("stock", organisation, id),
    belongs,
    begin: query.copy ? copied(read(query.copy), belongs) : async () => ({ availability: "IN_STOCK", currency: await currencyOf(organisation) }),
    async edit(record, etag, saved, gone, begun) {
      const controls = await made;
      const history = recordHistory(Object.values(controls));
      if (record) history.show({ stockId: record.id });
      const start = startOf(begun, controls);
      const note = copyNote(begun, controls.images);
      return editor({
        controls: Object.values(controls),
        content: [note, content(controls, record && enquiriesAbout(organisation, { stockId: record.id }), history.node)],
        record,
        etag,
        buttons,
        saved(item, created) {
          note?.remove();
          saved(item, created);
          history.show({ stockId: item.id });
        },
        start,
        defaults: { organisationId: organisation.id, ...start },
        collection: "/api/v1/stock",
        address: (item) => `/api/v1/stock/${item.id}`,
        keep: "To withdraw it and keep it, archive it instead.",
        called: (item) => `“${item.title}”`,
        deleted: organisation.role === "ADMIN" ? gone : null,
      });
    },
    addressOf: (item) => addressOf(organisation.slug, "stock", item.id),
  });
}
