// The page of one record: its heading, and its editor once it is there.
import { Failure } from "./api.js";
import { focusFirst, h, icon, pauses, redraw, replace, turn } from "./dom.js";
import { lastShown, noteChange } from "./list_memory.js";
import { fill, outline } from "./loading.js";
import { go, rename } from "./router.js";
import { setTitle } from "./title.js";

// A part of a form, with its heading.
export const section = (title, ...content) =>
  h("section", { class: "panel" }, h("h2", { class: "panel-title" }, title), h("div", { class: "grid" }, content));

const wide = matchMedia("(width >= 1400px)");

// Parts that stand beside the others where the page is wide, as two places in a form: on narrow pages `last` stand in the second one, below
// all that has to be filled in.
export function aside(parts, last = []) {
  const beside = h("div", { class: "aside" }, parts), end = h("div", { class: "aside-end" });
  last.forEach((part) => (part.dataset.last = ""));
  (wide.matches ? beside : end).append(...last);
  return [beside, end];
}

wide.addEventListener("change", () => {
  const [from, to] = [".aside-end", ".aside"].map((place) => document.querySelector(place));
  if (from) (wide.matches ? to : from).append(...document.querySelectorAll("[data-last]"));
});

// Returns the controls of a form, by name: each function of `makers` makes one, and gets those made before it. This begins when the page is
// shown, while its record is on its way, so that a slow machine has less to do when the record comes.
export async function soon(makers) {
  await turn();
  const pause = pauses(), controls = {};
  for (const [name, make] of Object.entries(makers)) {
    controls[name] = make(controls);
    await pause();
  }
  return controls;
}

// `given`: params {id}, back {address, text} or a title, newTitle, titleOf(record), about(record, apply) (nodes below the heading, in a box of aboutClass;
// apply(change, done) changes a part at once and says so), load() → {data, etag}, begin() → what a new one starts with, if anything,
// opened(record) (is told whenever it is shown or saved), gone(id) (that there is no such record), belongs(record) (to the organisation in the
// address), edit(record, etag, saved, gone, start) → {node, unsaved, apply} or a promise of that, addressOf(record).
export function recordPage(given) {
  const fresh = given.params.id === "new";
  const plain = given.title ?? given.back.text;
  const heading = h("h1", {}, fresh ? given.newTitle : h("span", { class: "outline-title" }, "Loading"));
  const about = h("div", { class: `about ${given.aboutClass ?? ""}`, hidden: fresh });
  const box = h("div", {});
  const page = {
    title: fresh ? given.newTitle : plain,
    unsaved: () => Boolean(part?.unsaved()),
    discard: () => part?.discard?.(),
    node: h("section", { class: "page page-record" },
      given.back && h("a", { class: "back", href: lastShown(given.back.address), "data-back": "" }, icon("left"), given.back.text), heading, about, box),
  };
  let part = null;
  let shown = null;

  function name(record) {
    shown = record;
    replace(heading, given.titleOf(record));
    about.hidden = false;
    redraw(about, given.about(record, (change, done) => part.apply(change, done)));
    // An answer may come when another page is shown already.
    if (page.node.isConnected) setTitle(given.titleOf(record));
  }
  function saved(record, created) {
    name(record);
    given.opened?.(record);
    noteChange(record);
    if (created) rename(page, given.addressOf(record));
    // The user has left this page, and a list that they see may have the record.
    if (!page.node.isConnected) document.dispatchEvent(new Event("recordschange"));
  }
  // After it was deleted.
  function gone() {
    document.dispatchEvent(new Event("recordschange"));
    given.gone?.(shown.id);
    go(given.back.address, { ask: false });
  }
  async function load() {
    const found = await given.load().catch((failure) => {
      replace(heading, failure.status === 404 ? "Not found" : plain);
      if (failure.status === 404) given.gone?.(given.params.id);
      throw failure;
    });
    // What belongs to another organisation of the user has an address of its own.
    if (!given.belongs(found.data)) {
      replace(heading, "Not found");
      throw new Failure(404, "Not found");
    }
    given.opened?.(found.data);
    return found;
  }
  async function edit(record, etag, start) {
    part = await given.edit(record, etag, saved, gone, start);
    return part.node;
  }
  if (fresh) fill(box, async () => given.begin?.(), (start) => edit(null, null, start), outline(4, "panel")).then(() => focusFirst(box));
  else fill(box, load, async ({ data, etag }) => {
    const node = await edit(data, etag);
    name(data);  // shows buttons that need the form
    return node;
  }, outline(4, "panel"));
  return page;
}
