// What failed of the organisation's programs, and how much their tokens were used.
import { get, withQuery } from "../api.js";
import { h, icon } from "../dom.js";
import { numberOf, timeNode } from "../format.js";
import { fill, outline } from "../loading.js";
import { addressOf } from "../shell.js";

const whose = ({ name, user }) => [user ?? "A token that is gone", name && `, ${name}`];
const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

const failed = (each) => h("li", { class: "row-item token" },
  h("div", { class: "row-main" }, h("h2", { class: "token-name" }, `${each.method} ${each.route}`),
    h("p", { class: "muted" }, `${each.status} `, h("a", { href: `/docs/errors#${each.code}` }, each.code), each.parameter && `: ${each.parameter}`),
    h("p", { class: "muted" }, whose(each.token), `, request ${each.requestId}`)),
  h("dl", { class: "token-facts" }, fact("Times", numberOf(each.count)), fact("First", timeNode(each.firstAt)), fact("Last", timeNode(each.lastAt))));

const used = (each) => h("li", { class: "row-item token" },
  h("div", { class: "row-main" }, h("h3", { class: "token-name" }, whose(each.token)), h("p", { class: "muted" }, each.day)),
  h("dl", { class: "token-facts" }, fact("Requests", numberOf(each.requests)), fact("Failed", numberOf(each.failures))));

function draw({ failures, usage }) {
  return [
    failures.length === 0 ? h("p", {}, "Nothing failed in the last 14 days.") : h("ul", { class: "rows" }, failures.map(failed)),
    h("h2", {}, "Use of tokens"),
    usage.length === 0 ? h("p", {}, "No token was used in the last 14 days.") : h("ul", { class: "rows" }, usage.map(used)),
  ];
}

export function failuresPage({ organisation }) {
  const box = h("div", {});
  fill(box, async () => (await get(withQuery("/api/v1/accounts/failures", { organisationId: organisation.id }))).data, draw, outline(8));
  const node = h("section", { class: "page" },
    h("a", { class: "back", href: addressOf(organisation.slug, "integrations") }, icon("left"), "Programs"),
    h("div", { class: "page-head" }, h("h1", { tabIndex: -1 }, "Failures of programs")),
    h("p", { class: "muted" }, "Requests of your programs that were refused or failed in the last 14 days, the newest first."),
    box);
  return { title: "Failures of programs", node };
}
