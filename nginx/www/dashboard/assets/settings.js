// What the settings' pages have in common.
import { h, showCurrent } from "./dom.js";

const parts = [["profile", "Profile"], ["password", "Password"], ["second-factor", "Two steps"], ["sessions", "Sessions"], ["letters", "Emails"], ["notifications", "Notifications"], ["tokens", "API tokens"]];

export function settingsPage(title, part, ...content) {
  const nav = h("nav", { class: "states", "aria-label": "Settings" }, parts.map(([name, text]) =>
    h("a", { href: `/dashboard/settings/${name}`, "aria-current": name === part && "page" }, text)));
  showCurrent(nav);
  return h("section", { class: "page" }, h("h1", {}, "Settings"), nav, h("h2", { tabindex: "-1", class: "part-title" }, title), content);
}
