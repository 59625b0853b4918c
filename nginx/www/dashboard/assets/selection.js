// Which rows of a list are selected, across its pages, and the bar that says what can be done with them.
import { Failure, signedIn, told } from "./api.js";
import { h, newId, replace } from "./dom.js";
import { many, numberOf } from "./format.js";
import { warn } from "./messages.js";

const perRequest = 100, atOnce = 4;

// `given`: key, noun, read(query) → the list's answer, most (how many can be selected), actions [{label, kind, act(items)}]: act resolves
// to true when the selection has served. Returns {bar, box(item), show(items, total, filters)}.
export function selection(given) {
  const chosen = new Map();  // by id
  const boxes = new Map();   // of the rows that are shown, by id
  let items = [], total = 0, filters = null, reading = null;
  const pageId = newId("select-page");
  const whole = h("input", { type: "checkbox", class: "form-check-input", id: pageId, onchange: () => {
    items.forEach((item) => mark(item, whole.checked));
    draw();
  } });
  const said = h("span", { role: "status" });
  const more = h("span", {});
  const buttons = h("div", { class: "select-actions" }, given.actions.map(({ label, kind = "quiet", act }) =>
    h("button", { type: "button", class: `btn btn-small btn-${kind}`, onclick: () => use(act) }, label)));
  const bar = h("div", { class: "select-bar", role: "group", "aria-label": "Selection", hidden: true },
    h("label", { class: "select-box", htmlFor: pageId }, whole, h("span", {}, "Select this page")), h("span", { class: "select-said" }, said, more), buttons);

  function mark(item, yes) {
    if (yes && (chosen.size < given.most || chosen.has(item.id))) chosen.set(item.id, item);
    else if (yes) warn(`At most ${many(given.most, ...given.noun)} can be selected.`);
    else chosen.delete(item.id);
    if (boxes.has(item.id)) boxes.get(item.id).checked = chosen.has(item.id);
  }
  async function use(act) {
    const used = [...chosen.values()];
    if (!(await act(used))) return;
    used.forEach((item) => mark(item, false));
    draw();
  }
  function clear() {
    [...chosen.values()].forEach((item) => mark(item, false));
    reading = null;
    draw();
  }

  // Reads all that match, page by page. What is deleted or added meanwhile may be missing: the number that is said is that of what was read.
  async function all() {
    const mine = (reading = {});
    const found = new Map();
    try {
      await signedIn(async () => {
        for (let page = 1; page <= Math.ceil(total / perRequest); page += atOnce) {
          const pages = Array.from({ length: Math.min(atOnce, Math.ceil(total / perRequest) - page + 1) }, (_, i) => given.read({ limit: perRequest, page: page + i }));
          for (const data of await Promise.all(pages)) for (const item of data[given.key]) found.set(item.id, item);
          if (mine !== reading) return;
          said.textContent = `Reading: ${found.size} of ${total}`;
        }
      });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      found.clear();
      warn(`Nothing more was selected. ${told(failure)}`);
    }
    if (mine !== reading) return;
    reading = null;
    for (const item of found.values()) if (chosen.size < given.most) mark(item, true);
    draw();
  }

  function draw() {
    const onPage = items.filter((item) => chosen.has(item.id)).length;
    whole.checked = items.length > 0 && onPage === items.length;
    whole.indeterminate = onPage > 0 && onPage < items.length;
    bar.hidden = items.length === 0 && chosen.size === 0;
    bar.classList.toggle("active", chosen.size > 0);
    buttons.hidden = chosen.size === 0;
    said.textContent = chosen.size === 0 ? "" : `${many(chosen.size, ...given.noun)} selected`;
    const had = more.contains(document.activeElement);
    const link = (text, onclick) => h("button", { type: "button", class: "btn btn-small btn-link", onclick }, text);
    const rest = total > items.length && chosen.size < total;
    replace(more,
      rest && total <= given.most && link(`Select all ${numberOf(total)} that match`, all),
      rest && total > given.most && chosen.size > 0 && h("span", { class: "muted" }, `More than ${many(given.most, ...given.noun)} match: narrow the filters to select all.`),
      chosen.size > 0 && link("Clear", clear));
    if (had) whole.focus({ preventScroll: true });
  }

  return {
    bar,
    // Stands before the contents of a row. A row that is drawn anew, after it was changed, is selected as it is now.
    box(item) {
      items = items.map((each) => (each.id === item.id ? item : each));
      if (chosen.has(item.id)) chosen.set(item.id, item);
      const input = h("input", { type: "checkbox", class: "form-check-input", "data-keep": "select", "aria-label": `Select ${item.title}`, checked: chosen.has(item.id),
        onchange: () => (mark(item, input.checked), draw()) });
      boxes.set(item.id, input);
      return h("label", { class: "select-box" }, input);
    },
    show(nowItems, nowTotal, nowFilters) {
      // Other filters show other rows: nobody should change what they no longer see.
      if (filters !== null && filters !== nowFilters) clear();
      [items, total, filters] = [nowItems, nowTotal, nowFilters];
      for (const item of items) if (chosen.has(item.id)) chosen.set(item.id, item);
      const shown = new Set(items.map((item) => item.id));
      for (const id of boxes.keys()) if (!shown.has(id)) boxes.delete(id);
      draw();
    },
  };
}
