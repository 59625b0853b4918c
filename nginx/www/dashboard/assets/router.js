// Addresses and pages. A page is a function of {params, query, path} that returns {title, node}, or a promise of it, and may return
//   update(query, params)   the same page with another query, or of a route with the same `keep`: it shows it without being made anew
//   unsaved()       true while leaving would lose what was typed
//   discard()       what was typed and not saved is given up
//   close()         it is left now
import { confirm } from "./dialog.js";

const base = "/dashboard";
let routes = [];
let display = null;
let current = null;  // {page, route, params, path}
let turn = 0;        // counts what was to be shown
let position = 0;    // of the entry shown, in this tab's history
let began = false;
let address = "";    // that is shown
const left = new Map();  // the entries of this tab's history that were left, by position: {address, scroll}
let ignored = 0;     // steps through the history that are our own

const unsaved = () => Boolean(current?.page.unsaved?.());

let asking = false;

// Whether the page may go: asks when something is not saved. Who says yes is not asked again, and who is being asked goes nowhere else.
export async function mayLeave() {
  if (!unsaved()) return true;
  if (asking) return false;
  asking = true;
  const page = current.page;
  const yes = await confirm("Leave without saving?", "What you typed on this page has not been saved.", { yes: "Leave", no: "Stay" });
  asking = false;
  if (!yes) return false;
  page.unsaved = null;
  page.discard?.();
  return true;
}

// The first route whose pattern fits: "/o/:org/stock" against the path behind /dashboard.
function find(path) {
  const parts = path.split("/").filter(Boolean);
  for (const route of routes) {
    const wanted = route.path.split("/").filter(Boolean);
    if (wanted.length !== parts.length) continue;
    const params = {};
    if (wanted.every((part, i) => (part.startsWith(":") ? (params[part.slice(1)] = decode(parts[i])) !== null : part === parts[i])))
      return { route, params };
  }
  return { route: routes.at(-1), params: {} };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const here = () => location.pathname + location.search;

// Whether the page that is shown shows this, too: a list and one of its records beside it.
const isKept = (route, params) => route.keep && route.keep === current.route.keep && params.org === current.params.org;

// Before another entry is shown.
const leave = () => left.set(position, { address, scroll: scrollY });

// `scroll`: how far down an entry was that is shown again.
function show(moved, scroll = 0) {
  address = here();
  const path = location.pathname.slice(base.length) || "/";
  const query = Object.fromEntries(new URLSearchParams(location.search));
  const { route, params } = find(path);
  if (current?.page.update && (current.path === path || isKept(route, params))) {
    const elsewhere = current.path !== path;
    Object.assign(current, { route, params, path });
    current.page.update(query, params);
    if (scroll || elsewhere) scrollTo(0, scroll);
    return;
  }
  const before = current?.page;
  before?.close?.();
  current = null;
  const mine = ++turn;
  const put = (page) => {
    if (!page || mine !== turn) return;  // it went on to another address
    current = { page, route, params, path };
    // The first page is where the browser begins, whatever address it was sent on from.
    display(page, { route, params, path, scroll, moved: moved && began });
    began = true;
  };
  const made = route.page({ params, query, path, route });
  if (!(made instanceof Promise)) return put(made);
  // Nobody types into what is about to go.
  if (before) before.node.inert = true;
  made.then(put);
}

// Goes to an address below /dashboard/; to the one that is shown without a step in the history. Asks when something is unsaved, unless `ask` is false.
export async function go(to, { replace = false, ask = true } = {}) {
  if (ask && !sameForm(to) && !(await mayLeave())) return;
  leave();
  if (replace || new URL(to, location).href === location.href) history.replaceState({ position }, "", to);
  else history.pushState({ position: ++position }, "", to);
  show(true);
}

// To the entry before, as it was left, if it is of this path; else to the address.
function back(to) {
  const before = left.get(position - 1);
  if (before && new URL(before.address, location).pathname === to.pathname) history.back();
  else go(to.pathname + to.search);
}

// Another query of the page that is shown leaves its form alone.
const sameForm = (to) => current?.page.update && new URL(to, location).pathname === location.pathname;

// The address of this page from now on, without a step in the history and without showing it again. A page that was left has none.
export function rename(page, to) {
  if (current?.page !== page) return;
  history.replaceState({ position }, "", to);
  address = here();
  current.path = location.pathname.slice(base.length);
}

// Shows the page of this address anew.
export function reload() {
  current?.page.close?.();
  current = null;
  show(true);
}

async function stepped(event) {
  if (ignored > 0) {
    ignored--;
    return;
  }
  const to = event.state?.position;
  if (to === undefined) {  // a link to a part of this page
    history.replaceState({ position: ++position }, "", here());
    return;
  }
  const steps = to - position;
  if (unsaved() && steps !== 0) {
    // The browser has left already: back to the form until the answer is there.
    ignored++;
    history.go(-steps);
    if (await mayLeave()) history.go(steps);
    return;
  }
  leave();
  position = to;
  show(true, left.get(to)?.scroll);
}

function clicked(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (!link.pathname.startsWith(`${base}/`) || link.pathname.startsWith(`${base}/api/`) || link.hash) return;
  event.preventDefault();
  if (link.dataset.back !== undefined) back(link);
  else go(link.pathname + link.search);
}

// Begins. `table` lists {path, page, …}, the last for what no other fits; `shown(page, place)` puts a page into the document.
export function start(table, shown) {
  routes = table;
  display = shown;
  history.scrollRestoration = "manual";
  position = history.state?.position ?? 0;
  history.replaceState({ position }, "", here());
  addEventListener("popstate", stepped);
  document.addEventListener("click", clicked);
  addEventListener("beforeunload", (event) => {
    if (unsaved() && !document.body.hidden) event.preventDefault();  // main.js hides what comes back from the browser's memory of pages
  });
  show(false);
}
