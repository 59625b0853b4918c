// What surrounds every page: the bar with the organisation and the user, and the navigation.
import { h, icon, replace } from "./dom.js";
import { dateOf, emailNode } from "./format.js";
import { menu } from "./menu.js";
import { organisationBySlug, session } from "./session.js";
import { setTitle } from "./title.js";
import { newEnquiries, onNews } from "./watch.js";

const app = document.getElementById("app");
let lastSlug = null;

const sections = [
  { name: "overview", label: "Overview", icon: "overview" },
  { name: "enquiries", label: "Enquiries", icon: "inbox" },
  { name: "stock", label: "Stock", icon: "stock" },
  { name: "jobs", label: "Jobs", icon: "jobs" },
  { name: "events", label: "Events", icon: "events", seldom: true },
  { name: "posts", label: "Posts", icon: "posts", seldom: true },
  { name: "organisation", label: "Organisation", icon: "organisation", seldom: true },
];

export const addressOf = (slug, ...rest) => ["/dashboard/o", slug, ...rest].map((part, i) => (i ? encodeURIComponent(part) : part)).join("/");

// The organisation that the pages without one in their address go back to: the last one, else the first.
export function usualOrganisation() {
  return organisationBySlug(lastSlug) ?? session.user?.organisations[0] ?? null;
}

// That of the document, for all pages: the picture of a new one would have to be asked for.
const brand = document.querySelector(".brand");

// For all pages, too.
const themeButton = h("button", { type: "button", class: "bare", role: "switch", "aria-label": "Dark colours", onclick: () => window.switchTheme() });

function showTheme() {
  const dark = document.documentElement.dataset.theme === "dark";
  themeButton.setAttribute("aria-checked", String(dark));
  replace(themeButton, icon(dark ? "sun" : "moon"));
}

showTheme();
document.addEventListener("themechange", showTheme);

function organisationMenu(organisation, section) {
  const all = session.user.organisations;
  if (!organisation) return null;
  const mark = organisation.test && h("span", { class: "mark mark-warn which-test" }, "Test", h("span", {}, " organisation"));
  if (all.length === 1) return [h("p", { class: "which" }, organisation.name), mark];
  const roleOf = ({ role, test }) => `${role === "ADMIN" ? "Administrator" : "Member"}${test ? ", test organisation" : ""}`;
  return [menu("Organisation", h("span", { class: "which" }, organisation.name), all.map((each) =>
    h("a", { class: "menu-item", href: addressOf(each.slug, section ?? "overview"), "aria-current": each === organisation && "true" },
      h("span", {}, each.name), h("small", {}, roleOf(each)))), "menu-organisation"), mark];
}

function userMenu(signOut) {
  return menu("Account", [icon("user"), h("span", { class: "user-name" }, session.user.name)], [
    h("p", { class: "menu-note" }, "Signed in as ", h("strong", { class: "user-email" }, emailNode(session.user.email))),
    h("a", { class: "menu-item", href: "/dashboard/settings/profile" }, "Your profile"),
    h("a", { class: "menu-item", href: "/dashboard/settings/password" }, "Change password"),
    h("button", { type: "button", class: "menu-item", onclick: signOut }, "Sign out"),
  ], "menu-user");
}

function newMark() {
  const mark = h("span", { class: "count" });
  const show = () => {
    const count = newEnquiries();
    mark.hidden = !count;
    replace(mark, h("span", { "aria-hidden": "true" }, count > 99 ? "99+" : String(count)), h("span", { class: "visually-hidden" }, `, ${count} new`));
  };
  show();
  onNews(mark, show);
  return mark;
}

// A telephone has no room for all: there those that are seldom needed are in a menu.
function navigation(organisation, section) {
  const all = [
    ...(organisation ? sections.map((each) => ({ ...each, address: addressOf(organisation.slug, each.name) })) : []),
    { name: "settings", label: "Settings", icon: "settings", address: "/dashboard/settings/profile", seldom: true },
  ];
  const seldom = all.filter((each) => each.seldom);
  const current = ({ name }) => name === section && "page";
  return h("nav", { class: "side", "aria-label": "Main" },
    all.map((each) => h("a", { href: each.address, class: each.seldom ? "nav-link nav-seldom" : "nav-link", "aria-current": current(each) }, icon(each.icon),
      h("span", { class: "nav-text" }, each.label, each.name === "enquiries" && newMark()))),
    menu("Pages", [icon("more"), "More"], seldom.map((each) => h("a", { href: each.address, class: "menu-item", "aria-current": current(each) }, each.label)),
      seldom.some(current) ? "menu-more menu-more-current" : "menu-more"));
}

// After an organisation got another name. By then another one may be shown.
export function showName(organisation) {
  if (organisation.slug !== lastSlug) return;
  for (const node of document.querySelectorAll(".top .which")) node.textContent = organisation.name;
}

// After the user got another name or email.
export function showUser() {
  document.querySelector(".top .user-name").textContent = session.user.name;
  replace(document.querySelector(".top .user-email"), emailNode(session.user.email));
}

// On every page of a copy for tests, so that nobody takes it for the service.
function copyNote() {
  const { copy } = session;
  return copy && h("p", { class: "copy-note", role: "note" },
    `A copy of ${copy.of} of `, h("time", { datetime: copy.on }, dateOf(copy.on)), ". Names are invented, nothing is sent.");
}

function place(main, page, { moved, scroll = 0 }) {
  setTitle(page.title);
  const heading = page.node.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  main.append(page.node);
  if (!moved) return page.focus?.();
  scrollTo(0, scroll);
  if (page.focus && !scroll) return page.focus();
  // So that a screen reader says where it is now. On first load it does so by itself.
  if (!main.contains(document.activeElement)) (heading ?? main).focus({ preventScroll: true });
}

// Puts a page of a signed-in user into the document.
export function showInside(page, { organisation, section, moved, scroll, signOut }) {
  if (organisation) lastSlug = organisation.slug;
  const which = organisation ?? usualOrganisation();
  const main = h("main", { id: "main", tabindex: "-1" }, copyNote());
  replace(app, h("div", { class: "shell" },
    h("header", { class: "top" }, brand, organisationMenu(which, section), h("div", { class: "top-end" }, themeButton, userMenu(signOut))),
    navigation(which, section), main));
  place(main, page, { moved, scroll });
}

// A page without navigation: sign-in, or a server that does not answer.
export function showAlone(page, moved) {
  const main = h("main", { id: "main", tabindex: "-1", class: "alone" });
  replace(app, h("div", { class: "alone-frame" }, h("header", { class: "top" }, brand, h("div", { class: "top-end" }, themeButton)), main));
  place(main, page, { moved });
}
