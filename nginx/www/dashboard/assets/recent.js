// What was opened last in this browser, for each user and organisation.
import { h, icon } from "./dom.js";
import { menu } from "./menu.js";
import { session } from "./session.js";

const most = 8;
const prefix = "tradepost.recent.";
const keyOf = (kind, organisation) => `${prefix}${session.user.id}.${organisation.id}.${kind}`;

// [{id, title}], the last first. A browser that keeps nothing has none.
function recent(kind, organisation) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(kind, organisation))) ?? [];
  } catch {
    return [];
  }
}

const others = (kind, organisation, id) => recent(kind, organisation).filter((each) => each.id !== id);

function keep(kind, organisation, all) {
  try {
    localStorage.setItem(keyOf(kind, organisation), JSON.stringify(all));
  } catch {
    // it is full, or not allowed: then there is no such list
  }
}

export const noteOpened = (kind, organisation, { id, title }) => keep(kind, organisation, [{ id, title }, ...others(kind, organisation, id)].slice(0, most));
export const forgetOne = (kind, organisation, id) => keep(kind, organisation, others(kind, organisation, id));

export function forgetOpened() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // nothing was kept
  }
}

// A menu of links, or null where nothing was opened. address(id) leads to one.
export function recentMenu(kind, organisation, address) {
  const all = recent(kind, organisation);
  if (all.length === 0) return null;
  return menu("List", [icon("clock"), "Opened last"], all.map(({ id, title }) => h("a", { class: "menu-item", href: address(id) }, h("span", {}, title))), "menu-recent");
}
