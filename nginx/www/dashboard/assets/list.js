// A list of one resource: filters and page number live in the address, so that they survive a reload and can be sent to a colleague.
import { Failure, getOwn, withQuery } from "./api.js";
import { h, icon, redraw, replace, showCurrent } from "./dom.js";
import { many } from "./format.js";
import { failureNotice, outline, signInFirst } from "./loading.js";
import { go } from "./router.js";
import { selection } from "./selection.js";

export const rowsOfPage = 20;
const most = 30;
const answers = new Map();  // by the list's address with its query, the last used at the end: shown at once while they are asked for again
const queries = new Map();  // the address with its query of what each list showed last

// A list's address with the filters and the page that it showed last.
export const lastShown = (address) => queries.get(address) ?? address;

function remember(address, data) {
  answers.delete(address);
  answers.set(address, data);
  if (answers.size > most) answers.delete(answers.keys().next().value);
}

// `given`: title, path (of the API), key (of its answer), base (query that every request has), states (values of the filter `state`, by
// default `status`, as [value, text]), filters [{name, make(change)}, or names of several], ask(query) (what the API is asked for it),
// row(item, draw) (draw(item) draws it anew), action (a node beside the title), empty (a node for a
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
  let drawn = null;  // as JSON
  let counting = null;  // the last call of recount()

  const read = (part) => {
    const wanted = Object.fromEntries(names.map((name) => [name, query[name]]));
    return getOwn(withQuery(given.path, { ...given.base, ...(given.ask?.(wanted) ?? wanted), ...part }));
  };
  const chosen = given.actions ? selection({ ...given, read: async (part) => (await read(part)).data }) : null;

  const change = (part) => go(withQuery(address, { ...query, page: null, ...part }));

  // They stay, with the focus that is on one of them.
  const tabs = [["", "All"], ...given.states].map(([value, text]) => {
    const number = h("span", { class: "tab-count" });
    return { value, number, link: h("a", {}, text, number) };
  });
  replace(states, tabs.map(({ link }) => link));

  function drawStates() {
    for (const { value, link } of tabs) {
      link.href = withQuery(address, { ...query, page: null, [state]: value });
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

  function drawPager(data) {
    const link = (page, text, rel) => {
      if (page < 1 || page > data.pages) return h("span", { class: "btn btn-quiet off", "aria-hidden": "true" }, text);
      return h("a", { class: "btn btn-quiet", rel, href: withQuery(address, { ...query, page: page === 1 ? null : page }) }, text);
    };
    replace(pager, data.pages > 1 && h("nav", { class: "pager", "aria-label": "Pages" },
      link(data.page - 1, [icon("left"), "Previous"], "prev"),
      h("span", {}, `Page ${data.page} of ${data.pages}`),
      link(data.page + 1, ["Next", icon("right")], "next")));
  }

  function rowOf(item) {
    const node = h("li", { class: "row-item" });
    // A part of the row in which the user is typing stays.
    const draw = (now) => {
      const typing = node.querySelector("[data-typing]"), focused = typing?.contains(document.activeElement) && document.activeElement;
      redraw(node, [chosen?.box(now), given.row(now, draw)]);
      if (typing) node.querySelector(`.${typing.className}`)?.replaceWith(typing);
      if (focused) focused.focus({ preventScroll: true });
    };
    draw(item);
    return node;
  }

  function draw(data) {
    // What is the same stays, with the focus that is on it.
    const text = withQuery("", { ...query }) + JSON.stringify(data);
    if (text === drawn) return;
    drawn = text;
    const items = data[given.key];
    const filtered = names.some((name) => name !== "sort" && query[name]);
    count.textContent = data.total === 0 ? "" : many(data.total, ...given.noun);
    if (items.length > 0) replace(box, h("ul", { class: "rows" }, items.map(rowOf)));
    else if (!filtered) replace(box, given.empty());
    else replace(box, h("div", { class: "empty" }, h("h2", {}, "Nothing matches"), h("p", {}, `No ${given.noun[0]} matches what you have searched for and chosen.`),
      h("a", { class: "btn btn-quiet", href: address }, "Show all")));
    chosen?.show(items, data.total, withQuery("", { ...query, page: null }));
    drawPager(data);
  }

  async function load() {
    const mine = ++turn;
    box.setAttribute("aria-busy", "true");
    try {
      const { data } = await read({ limit: rowsOfPage, page: query.page });
      if (mine !== turn) return;
      // What was on the last page may be gone.
      if (data[given.key].length === 0 && data.total > 0) return void go(withQuery(address, { ...query, page: data.pages }), { replace: true });
      remember(withQuery(address, query), data);
      draw(data);
      loaded(data);
      recount();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (mine !== turn) return;
      if (failure.status === 401) return signInFirst();
      drawn = null;
      count.textContent = "";
      replace(pager);
      replace(box, failure.status === 400
        ? h("div", { class: "empty" }, h("h2", {}, "This filter cannot be used"), h("p", {}, failure.message),
          h("a", { class: "btn btn-quiet", href: address }, "Show all"))
        : failureNotice(failure, load));
    } finally {
      if (mine === turn) box.removeAttribute("aria-busy");
    }
  }

  const showFilters = () => given.filters.forEach((filter, i) => shown[i].set(filter.names ? query : query[filter.name] ?? ""));
  const loaded = (data) => given.loaded?.(data) && showFilters();
  const shown = given.filters.map((filter) => filter.make((value) => change(filter.names ? value : { [filter.name]: value })));
  replace(filters, shown.map((filter) => filter.node));

  function update(next) {
    query = Object.fromEntries([...names, "page"].filter((name) => next[name]).map((name) => [name, next[name]]));
    showFilters();
    drawStates();
    const shownNow = withQuery(address, query);
    queries.set(address, shownNow);
    if (answers.has(shownNow)) {
      draw(answers.get(shownNow));
      loaded(answers.get(shownNow));
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

  update(given.query);
  const node = h("section", { class: "page" },
    h("div", { class: "page-head" }, h("h1", {}, given.title), given.action),
    given.note, h("div", { class: "list-tools" }, states, filters), count, chosen?.bar, box, pager);
  function close() {
    turn++;  // an answer that is on its way leads nowhere
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
