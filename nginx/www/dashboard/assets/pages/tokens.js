// Settings: API tokens.
import { get, remove } from "../api.js";
import { attempt, orGone } from "../attempt.js";
import { confirm } from "../dialog.js";
import { h, icon } from "../dom.js";
import { many, momentOf, sinceOf, timeNode } from "../format.js";
import { fill, outline, refill } from "../loading.js";
import { say } from "../messages.js";
import { expiryOf, mintDialog, mintedDialog } from "../minting.js";
import { scopesText } from "../scopes.js";
import { settingsPage } from "../settings.js";

const address = "/dashboard/api/tokens";

const nameOf = (token) => token.name ?? "Made by a program";

function row(token, revoke) {
  const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h("li", { class: "row-item token" },
    h("div", { class: "row-main" }, h("h3", { class: "token-name" }, nameOf(token)),
      token.source === "AUTH" && h("p", { class: "muted" }, "With your email and password"),
      h("p", { class: "muted" }, scopesText(token.scopes))),
    h("dl", { class: "token-facts" },
      fact("Made", timeNode(token.createdAt)),
      fact("Expires", ...expiryOf(token)),
      fact("Last used", token.lastUsedAt ? timeNode(token.lastUsedAt, sinceOf(token.lastUsedAt)) : "Never")),
    h("button", { type: "button", class: "btn btn-text-danger", "aria-label": `Revoke ${nameOf(token)}, made ${momentOf(token.createdAt)}`, onclick: revoke }, "Revoke"));
}

export function tokensPage() {
  const box = h("div", {});
  let tokens = [], limit = 0;

  // Newest first: the last is the one that the next token pushes out, if they are as many as can be.
  const pushedOut = () => (tokens.length < limit ? null : tokens.at(-1));

  async function load() {
    ({ tokens, limit } = (await get(address)).data);
    return tokens;
  }
  const refresh = () => refill(box, load, draw);

  async function revoke(token) {
    const yes = await confirm(`Revoke ${nameOf(token)}?`, "Programs that use it are refused from now on. This cannot be undone.", { yes: "Revoke" });
    if (!yes) return;
    if (!(await attempt(() => remove(`${address}/${encodeURIComponent(token.id)}`).catch(orGone)))) return;
    await refresh();
    say(`Revoked: ${nameOf(token)}.`);
    node.querySelector("h2").focus();
  }

  async function mint() {
    const minted = await mintDialog(address, pushedOut());
    if (!minted) return;
    refresh();
    await mintedDialog(minted);
  }

  function draw() {
    const last = pushedOut();
    return [
      h("p", { class: "muted", role: "status" }, tokens.length ? `${many(tokens.length, "token")} of ${limit} in use.` : ""),
      last && h("div", { class: "notice notice-warn" }, icon("warning"), h("p", {}, "You hold as many tokens as there can be. The next one pushes out the oldest: ",
        h("strong", {}, nameOf(last)), `, made ${momentOf(last.createdAt)}.`)),
      tokens.length > 0
        ? h("ul", { class: "rows" }, tokens.map((token) => row(token, () => revoke(token))))
        : h("div", { class: "empty" }, icon("key"), h("h3", {}, "No tokens yet"), h("p", {}, "A program of yours needs one to use the API in your name.")),
    ];
  }

  fill(box, load, draw, outline(3, "row"));
  const node = settingsPage("API tokens", "tokens",
    h("div", { class: "page-head" },
      h("p", { class: "muted lead-in" }, "A token lets a program do what you may do, or a part of it, for 90 days. Give every program its own, so that you can revoke one alone. ",
        h("a", { href: "/docs/" }, "How programs use the API")),
      h("button", { type: "button", class: "btn btn-main", onclick: mint }, icon("plus"), "Make a token")),
    box);
  return { title: "API tokens", node };
}
