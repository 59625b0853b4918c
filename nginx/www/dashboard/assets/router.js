// Addresses and pages. A page is a function of {params, query, path} that returns {title, node}, and may return
//   update(query)   the same page with another query: it shows it without being made anew
//   unsaved()       true while leaving would lose what was typed
//   close()         it is left now
import { confirm } from "./dialog.js";

const base = "/dashboard";
let routes = [];
let display = null;
let current = null;  // {page, params, path}
let position = 0;    // of the entry shown, in this tab's history
let began = false;
let ignored = 0;     // steps through the history that are our own

const unsaved = () => Boolean(current?.page.unsaved?.());

// Whether the page may go: asks when something is not saved. Who says yes is not asked again.
export async function mayLeave() {
  if (!unsaved()) return true;
  const page = current.page;
  if (!(await confirm("Leave without saving?", "What you typed on this page has not been saved.", { yes: "Leave", no: "Stay" }))) return false;
  page.unsaved = null;
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

function show(moved) {
  const path = location.pathname.slice(base.length) || "/";
  const query = Object.fromEntries(new URLSearchParams(location.search));
  if (current && current.path === path && current.page.update) {
    current.page.update(query);
    return;
  }
  current?.page.close?.();
  current = null;
  const { route, params } = find(path);
  const page = route.page({ params, query, path, route });
  if (!page) return;  // it went on to another address
  current = { page, params, path };
  // The first page is where the browser begins, whatever address it was sent on from.
  display(page, { route, params, path, moved: moved && began });
  began = true;
}

// Goes to an address below /dashboard/. Asks when something is unsaved, unless `ask` is false.
export async function go(address, { replace = false, ask = true } = {}) {
  if (ask && !sameForm(address) && !(await mayLeave())) return;
  if (replace) history.replaceState({ position }, "", address);
  else history.pushState({ position: ++position }, "", address);
  show(true);
}

// Another query of the page that is shown leaves its form alone.
const sameForm = (address) => current?.page.update && new URL(address, location).pathname === location.pathname;

// The address of what is shown now, without a step in the history and without showing it again.
export function rename(address) {
  history.replaceState({ position }, "", address);
  if (current) current.path = location.pathname.slice(base.length);
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
  position = to;
  show(true);
}

function clicked(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (!link.pathname.startsWith(`${base}/`) || link.pathname.startsWith(`${base}/api/`) || link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search);
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
    if (unsaved()) event.preventDefault();
  });
  show(false);
}
