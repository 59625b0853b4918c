// The page of one record: its heading, and its editor once it is there.
import { Failure } from "./api.js";
import { h, icon, replace } from "./dom.js";
import { lastShown } from "./list.js";
import { fill, outline } from "./loading.js";
import { rename } from "./router.js";

// A part of a form, with its heading.
export const section = (title, ...content) =>
  h("section", { class: "panel" }, h("h2", { class: "panel-title" }, title), h("div", { class: "grid" }, content));

// `given`: params {id}, back {address, text} or a title, newTitle, titleOf(record), about(record) (nodes below the heading), load() → {data, etag},
// belongs(record) (to the organisation in the address), edit(record, etag, saved) → {node, unsaved}, addressOf(record).
export function recordPage(given) {
  const fresh = given.params.id === "new";
  const plain = given.title ?? given.back.text;
  const heading = h("h1", {}, fresh ? given.newTitle : h("span", { class: "outline-title" }, "Loading"));
  const about = h("div", { class: "about" });
  const box = h("div", {});
  const page = {
    title: fresh ? given.newTitle : plain,
    unsaved: () => Boolean(part?.unsaved()),
    node: h("section", { class: "page page-record" },
      given.back && h("a", { class: "back", href: lastShown(given.back.address), "data-back": "" }, icon("left"), given.back.text), heading, about, box),
  };
  let part = null;

  function name(record) {
    replace(heading, given.titleOf(record));
    replace(about, given.about(record));
    document.title = `${given.titleOf(record)} – Tradepost`;
  }
  function saved(record, created) {
    name(record);
    if (created) rename(given.addressOf(record));
  }
  async function load() {
    const found = await given.load().catch((failure) => {
      replace(heading, failure.status === 404 ? "Not found" : plain);
      throw failure;
    });
    // What belongs to another organisation of the user has an address of its own.
    if (!given.belongs(found.data)) {
      replace(heading, "Not found");
      throw new Failure(404, "Not found");
    }
    return found;
  }
  function edit(record, etag) {
    part = given.edit(record, etag, saved);
    return part.node;
  }
  if (fresh) replace(box, edit(null, null));
  else fill(box, load, ({ data, etag }) => {
    name(data);
    return edit(data, etag);
  }, outline(4, "panel"));
  return page;
}
