// The windscreen sheet of a stock item: one page of A4 to print.
import { Failure, get, withQuery } from "../api.js";
import { factsOf } from "../buyer_preview.js";
import { h, icon, replace } from "../dom.js";
import { priceOf } from "../format.js";
import { fill, outline } from "../loading.js";
import { addressOf } from "../shell.js";
import { suggestionsFor } from "../suggestions.js";

const most = 10;

// What buyers ask for first; a VIN is for who buys it.
function mainFacts(item) {
  const order = suggestionsFor(item.category).map((each) => each.name.toLowerCase());
  const rank = ([name]) => {
    const at = order.indexOf(name.toLowerCase());
    return name in { Year: 1, Condition: 1 } ? -1 : at < 0 ? order.length : at;
  };
  return factsOf({ ...item, make: null, model: null, variant: null }).filter(([name]) => name.toUpperCase() !== "VIN")
    .sort((a, b) => rank(a) - rank(b)).slice(0, most);
}

function sheet(item, account) {
  const image = item.images.find((each) => each.url);
  const contact = account.phone ?? account.email ?? account.website;
  const kind = [item.make, item.model, item.variant].filter(Boolean).join(" ");
  return h("article", { class: "sheet" },
    h("header", { class: "sheet-head" }, account.logoUrl && h("img", { src: account.logoUrl, alt: "" }), h("strong", {}, account.name)),
    h("h2", { class: "sheet-title" }, item.title), kind && !item.title.includes(kind) && h("p", { class: "sheet-kind" }, kind),
    image && h("img", { class: "sheet-picture", src: image.url, alt: "" }),
    h("p", { class: "sheet-price" }, item.price === null ? "Price on request" : priceOf(item.price, item.currency)),
    h("dl", { class: "sheet-facts" }, mainFacts(item).map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)))),
    h("footer", { class: "sheet-foot" }, contact && h("strong", {}, contact),
      h("span", {}, [account.address, account.postalCode, account.city].filter(Boolean).join(", ")), h("span", {}, item.reference)));
}

export function sheetPage({ organisation, params }) {
  const box = h("div", {});
  const back = h("a", { class: "back", href: addressOf(organisation.slug, "stock", params.id), "data-back": "" }, icon("left"), "Item");
  const load = async () => {
    const [item, account] = await Promise.all([get(`/api/v1/stock/${encodeURIComponent(params.id)}`), get(withQuery("/api/v1/accounts", { organisationId: organisation.id }))]);
    if (item.data.organisationId !== organisation.id) throw new Failure(404, "Not found");
    return [item.data, account.data];
  };
  const draw = ([item, account]) => [
    h("div", { class: "sheet-bar" }, h("button", { type: "button", class: "btn btn-main", onclick: () => print() }, "Print"),
      !account.phone && h("span", { class: "muted" }, "Your organisation has no telephone number yet.",
        organisation.role === "ADMIN" && [" ", h("a", { href: addressOf(organisation.slug, "organisation") }, "Add the number")])),
    h("div", { class: "sheet-frame" }, sheet(item, account))];
  fill(box, load, (found) => {
    replace(back, icon("left"), found[0].title);
    return draw(found);
  }, outline(3, "panel"));
  return {
    title: "Windscreen sheet",
    node: h("section", { class: "page page-sheet" }, back, h("h1", {}, "Windscreen sheet"), box),
  };
}
