// A stock item as buyers see it, with what is in the form now, saved or not.
import { Failure, get, signedIn, withQuery } from "./api.js";
import { dialog } from "./dialog.js";
import { h } from "./dom.js";
import { badge, nameOf, priceOf } from "./format.js";
import { fill } from "./loading.js";

// What is typed that can be no value is left out.
function valueOf(control) {
  try {
    return control.get();
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return null;
  }
}

const paragraphs = (text) => (text ?? "").split(/\n{2,}/).filter((each) => each.trim()).map((each) => h("p", { class: "as-typed" }, each.trim()));

// The year, the condition, and what else is known of an item: [name, text].
export const factsOf = (item) => [
  ["Year", item.year && String(item.year)], ["Condition", item.condition && nameOf(item.condition)], ["Make", item.make], ["Model", item.model], ["Variant", item.variant],
  ...Object.entries(item.attributes ?? {}),
].filter(([, text]) => text);

const factList = (facts) => h("dl", { class: "facts" }, facts.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));

function gallery(pictures, title) {
  const address = (picture) => picture.url ?? picture.thumbnailUrl;
  const usable = pictures.filter(address);
  if (usable.length === 0) return h("p", { class: "muted" }, "There is no picture yet.");
  const large = h("img", { class: "buyer-picture", src: address(usable[0]), alt: title });
  const choose = (picture, button) => {
    large.src = address(picture);
    for (const each of button.parentNode.children) each.setAttribute("aria-pressed", String(each === button));
  };
  return [large, usable.length > 1 && h("div", { class: "buyer-thumbs", role: "group", "aria-label": "Pictures" }, usable.map((picture, i) =>
    h("button", { type: "button", "aria-label": `Show picture ${i + 1}`, "aria-pressed": String(i === 0), onclick: (event) => choose(picture, event.currentTarget) },
      h("img", { src: picture.thumbnailUrl ?? picture.url, alt: "" }))))];
}

const seller = (account) => [
  h("p", {}, h("strong", {}, account.name), [account.city, account.phone].filter(Boolean).map((text) => h("span", {}, ` · ${text}`))),
  !account.published && h("p", { class: "muted" }, "Your organisation is not published: buyers see none of its stock yet."),
];

const hidden = { DRAFT: "It is a draft: buyers do not see it until you publish it.", ARCHIVED: "It is archived: buyers do not see it." };

// `controls` are the form's, by name; `item` is what the service has.
export function previewItem(controls, item, organisation) {
  const now = Object.fromEntries(Object.values(controls).map((control) => [control.name, valueOf(control)]));
  const shop = h("footer", { class: "buyer-seller" });
  fill(shop, () => signedIn(() => get(withQuery("/api/v1/accounts", { organisationId: organisation.id }))), ({ data }) => seller(data));
  return dialog("As buyers see it", (close) => [
    hidden[item.status] && h("div", { class: "notice notice-warn" }, h("p", {}, hidden[item.status])),
    h("article", { class: "buyer" },
      gallery(controls.images.pictures(), now.title ?? ""),
      h("h3", {}, now.title ?? "Without a title"),
      h("p", { class: "buyer-price" }, now.price === null ? "Price on request" : priceOf(now.price, now.currency), " ", now.availability && badge(now.availability)),
      factList(factsOf(now)), paragraphs(now.description),
      controls.documents.links().length > 0 && h("ul", { class: "buyer-documents" }, controls.documents.links().map(({ title, url }) =>
        h("li", {}, url ? h("a", { href: url, target: "_blank", rel: "noopener" }, title) : title))),
      shop),
    h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-quiet", autofocus: true, onclick: () => close() }, "Close")),
  ], { wide: true });
}
