// Settings: where one is signed in.
import { get, remove } from "../api.js";
import { attempt, orGone } from "../attempt.js";
import { browserOf } from "../browsers.js";
import { confirm } from "../dialog.js";
import { h, icon } from "../dom.js";
import { sinceOf, timeNode } from "../format.js";
import { fill, outline, refill } from "../loading.js";
import { say } from "../messages.js";
import { settingsPage } from "../settings.js";

const address = "/dashboard/api/sessions";

function row(session, end) {
  const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const name = browserOf(session.userAgent);
  return h("li", { class: "row-item token" },
    h("div", { class: "row-main" }, h("h3", { class: "token-name", title: session.userAgent }, name),
      session.current && h("p", {}, h("span", { class: "mark mark-good" }, "This one"))),
    h("dl", { class: "token-facts" },
      fact("Signed in", timeNode(session.createdAt)),
      fact("Last used", timeNode(session.lastUsedAt, sinceOf(session.lastUsedAt))),
      fact("Address", session.address || "–")),
    !session.current && h("button", { type: "button", class: "btn btn-text-danger", "aria-label": `End ${name}, last used ${sinceOf(session.lastUsedAt)}`, onclick: end }, "End"));
}

export function sessionsPage() {
  const box = h("div", {});
  const load = async () => (await get(address)).data.sessions;

  async function end(path, done) {
    if (!(await attempt(() => remove(path).catch(orGone)))) return;
    await refill(box, load, draw);
    say(done);
    node.querySelector("h2").focus();
  }

  async function endOthers() {
    const yes = await confirm("End all other sessions?", "Whoever uses them has to sign in again. This one goes on.", { yes: "End them" });
    if (yes) await end(address, "All other sessions have ended.");
  }

  const draw = (sessions) => [
    h("ul", { class: "rows" }, sessions.map((session) => row(session, () => end(`${address}/${encodeURIComponent(session.id)}`, "The session has ended.")))),
    sessions.length > 1 && h("p", {}, h("button", { type: "button", class: "btn btn-danger", onclick: endOthers }, icon("remove"), "End all others")),
  ];

  fill(box, load, draw, outline(3, "row"));
  const node = settingsPage("Sessions", "sessions",
    h("div", { class: "page-head" }, h("p", { class: "muted lead-in" }, "Where you are signed in to this dashboard. A session ends 12 hours after its last use, and 7 days after the sign-in at the latest. If you do not know one, end it and change your password.")),
    box);
  return { title: "Sessions", node };
}
