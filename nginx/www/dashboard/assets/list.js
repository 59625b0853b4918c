// A list of one resource: filters and page number live in the address, so that they survive a reload and can be sent to a colleague.
import { Failure, getOwn, withQuery } from "./api.js";
import { h, icon, redraw, replace, showCurrent } from "./dom.js";
import { many } from "./format.js";
import { lastAnswer, noteShown, remember } from "./list_memory.js";
import { listRows } from "./list_rows.js";
import { failureNotice, outline, signInFirst } from "./loading.js";
import { go } from "./router.js";
import { selection } from "./selection.js";

export const rowsOfPage = 20;

// `given`: title, path (of the API), key (of its answer), base (query that every request has), states (values of the filter `state`, by
// default `status`, as [value, text]), filters [{name, make(change)}, or names of several], ask(query) (what the API is asked for it),
// row(item, saved) (saved(item) tells how it is after it was changed), action (a node beside the title), empty (a node for a
// list without filters), noun, query; actions: what can be done with selected rows, see selection.js; address (else that of the page); counts() →
// how many have each value of that filter; loaded(data): true when the filters now show their values in another way. Returns a page.
export function listPage(given) {
  const address = given.address ?? location.pathname;
  const state = given.state ?? "status";
  const names = [state, ...given.filters.flatMap((filter) => filter.names ?? filter.name)];
  const box = h("div", { class: "results" }, outline(5, "row"));
  const count = h("p", { class: "muted count-line", role: "status" });
  const states = h("nav", { class: "states", "aria-label": "Status" });
  const filters = h("div", { class: "filters" });
  const pager = h("div", {});
  let query = {};
  let turn = 0;
  let reading = false;
  let drawn = null;  // as JSON
  let counting = null;  // the last call of recount()

  const read = (part) => {
    const wanted = Object.fromEntries(names.map((name) => [name, query[name]]));
    return getOwn(withQuery(given.path, { ...given.base, ...(given.ask?.(wanted) ?? wanted), ...part }));
  };
  const chosen = given.actions ? selection({ ...given, read: async (part) => (await read(part)).data }) : null;
  const rows = listRows((item, saved) => [chosen?.box(item), given.row(item, saved)], (draw) => {
    drawing(draw);
    if (reading) load();  // that answer may be from before
  });

  // In one order, so that the same choice has one address.
  const inOrder = (wanted) => Object.fromEntries([...names, "page"].filter((name) => `${wanted[name] ?? ""}`).map((name) => [name, wanted[name]]));
  const change = (part) => go(withQuery(address, inOrder({ ...query, page: null, ...part })));

  // They stay, with the focus that is on one of them.
  const tabs = [["", "All"], ...given.states].map(([value, text]) => {
    const number = h("span", { class: "tab-count" });
    return { value, number, link: h("a", {}, text, number) };
  });
  replace(states, tabs.map(({ link }) => link));

  function drawStates() {
    for (const { value, link } of tabs) {
      link.href = withQuery(address, inOrder({ ...query, page: null, [state]: value }));
      if ((query[state] ?? "") === value) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    showCurrent(states);
  }

  // Other filters are not counted.
  async function recount() {
    const mine = (counting = {});
    const filtered = names.some((name) => ![state, "sort"].includes(name) && query[name]);
    const found = filtered ? null : await given.counts?.();
    if (mine !== counting) return;
    for (const { value, number } of tabs)
      number.textContent = !found ? "" : ` ${value ? found[value] ?? 0 : Object.values(found).reduce((sum, each) => sum + each, 0)}`;
    showCurrent(states);
  }

  // Calls work(), which draws. The focus is where it was afterwards, or on the heading when that element is gone.
  function drawing(work) {
    const had = document.activeElement;
    const isShown = (part) => node.contains(part) && part.getClientRects().length > 0;
    const inside = isShown(had);
    work();
    if (inside && !isShown(document.activeElement)) (isShown(had) ? had : node.querySelector(".list-title, h1")).focus({ preventScroll: isShown(had) });
  }

  function drawPager(data) {
    const link = (page, text, rel) => {
      if (page < 1 || page > data.pages) return h("span", { class: "btn btn-quiet off", "aria-hidden": "true" }, text);
      return h("a", { class: "btn btn-quiet", rel, "data-keep": `page ${page}`, href: withQuery(address, { ...query, page: page === 1 ? null : page }) }, text);
    };
    redraw(pager, data.pages > 1 && h("nav", { class: "pager", "aria-label": "Pages" },
      link(data.page - 1, [icon("left"), "Previous"], "prev"),
      h("span", {}, `Page ${data.page} of ${data.pages}`),
      link(data.page + 1, ["Next", icon("right")], "next")));
  }

  const filtersNow = () => withQuery("", { ...query, page: null });

  function draw(data) {
    // What is the same stays, with the focus that is on it.
    const text = withQuery("", { ...query }) + JSON.stringify(data);
    if (text === drawn) return;
    drawn = text;
    const items = data[given.key];
    const filtered = names.some((name) => name !== "sort" && query[name]);
    count.textContent = data.total === 0 ? "" : many(data.total, ...given.noun);
    rows.show(items);
    if (items.length > 0) {
      if (rows.node.parentNode !== box) replace(box, rows.node);
    } else if (!filtered) replace(box, given.empty());
    else replace(box, h("div", { class: "empty" }, h("h2", {}, "Nothing matches"), h("p", {}, `No ${given.noun[0]} matches what you have searched for and chosen.`),
      h("a", { class: "btn btn-quiet", href: address }, "Show all")));
    chosen?.show(items, data.total, filtersNow());
    drawPager(data);
  }

  async function load() {
    const mine = ++turn;
    reading = true;
    box.setAttribute("aria-busy", "true");
    try {
      const { data } = await read({ limit: rowsOfPage, page: query.page });
      if (mine !== turn) return;
      // What was on the last page may be gone.
      if (data[given.key].length === 0 && data.total > 0) return void go(withQuery(address, { ...query, page: data.pages }), { replace: true });
      remember(withQuery(address, query), data);
      drawing(() => draw(data));
      loaded(data);
      recount();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (mine !== turn) return;
      if (failure.status === 401) return signInFirst();
      drawing(() => fail(failure));
    } finally {
      if (mine === turn) {
        reading = false;
        box.removeAttribute("aria-busy");
      }
    }
  }

  function fail(failure) {
    drawn = null;
    rows.show([]);
    count.textContent = "";
    chosen?.show([], 0, filtersNow());
    replace(pager);
    replace(box, failure.status === 400
      ? h("div", { class: "empty" }, h("h2", {}, "This filter cannot be used"), h("p", {}, failure.message),
        h("a", { class: "btn btn-quiet", href: address }, "Show all"))
      : failureNotice(failure, load));
  }

  // What is typed in one and not used yet stays, unless it gets another value. `anew`: those of several fields show the same value in another way.
  const set = [];
  const showFilters = (anew = false) => given.filters.forEach(({ name, names: several }, i) => {
    const text = JSON.stringify((several ?? [name]).map((each) => query[each]));
    if (text === set[i] && !(anew && several)) return;
    set[i] = text;
    shown[i].set(several ? query : query[name] ?? "");
  });
  const loaded = (data) => given.loaded?.(data) && showFilters(true);
  const shown = given.filters.map((filter) => filter.make((value) => change(filter.names ? value : { [filter.name]: value })));
  replace(filters, shown.map((filter) => filter.node));

  function update(next) {
    query = inOrder(next);
    drawing(showFilters);
    drawStates();
    const shownNow = withQuery(address, query);
    noteShown(address, shownNow);
    const before = lastAnswer(shownNow);
    if (before) {
      drawing(() => draw(before));
      loaded(before);
    }
    load();
  }

  // Reads another page of this list, and remembers it, so that it is shown at once when the user goes there.
  async function peek(page) {
    const there = withQuery(address, { ...query, page: page === 1 ? null : page });
    const { data } = await read({ limit: rowsOfPage, page });
    remember(there, data);
    return data;
  }

  // Some were changed from this page, or another one before.
  document.addEventListener("recordschange", load);

  const node = h("section", { class: "page" },
    h("div", { class: "page-head" }, h("h1", {}, given.title), given.action),
    given.note, h("div", { class: "list-tools" }, states, filters), count, chosen?.bar, box, pager);
  update(given.query);
  function close() {
    turn++;  // an answer that is on its way leads nowhere
    reading = false;
    document.removeEventListener("recordschange", load);
  }
  return { title: given.title, node, update, reload: load, peek, recount, close };
}

// A filter with one value out of several; it narrows the list at once and keeps the focus.
export const choiceFilter = (name, label, options, none = `${label}: any`) => ({
  name,
  make(change) {
    const input = h("select", { class: "form-select", "aria-label": label, onchange: () => change(input.value) },
      h("option", { value: "" }, none), options.map(([value, text]) => h("option", { value }, text)));
    return { node: input, set: (value) => (input.value = value) };
  },
});

// A filter that a link sets: a button that says so, and takes it away.
export const linkedFilter = (name, text) => ({
  name,
  make(change) {
    const node = h("button", { type: "button", class: "btn btn-quiet", onclick: () => change("") }, text, icon("remove"),
      h("span", { class: "visually-hidden" }, "Take this filter away"));
    return { node, set: (value) => (node.hidden = !value) };
  },
});

// A filter that is typed, and used by Enter or its button.
export const textFilter = (name, label) => ({
  name,
  make(change) {
    const input = h("input", { type: "search", class: "form-control", "aria-label": label, placeholder: label });
    const submit = (event) => {
      event.preventDefault();
      change(input.value);
    };
    // The browser's little cross empties it.
    input.addEventListener("search", () => input.value === "" && change(""));
    const node = h("form", { class: "search-box", role: "search", onsubmit: submit }, input, h("button", { type: "submit", class: "btn btn-quiet" }, "Find"));
    return { node, set: (value) => (input.value = value) };
  },
});

// "/" leads to the search of the list that is shown, as it does elsewhere.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  const input = document.querySelector(".search-box input");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing || !input) return;
  event.preventDefault();
  input.focus();
});
