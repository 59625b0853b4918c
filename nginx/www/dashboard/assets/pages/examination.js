// The examination of a test organisation's programs: beginning one, what it has seen so far, and its report.
import { Failure, get, post, told, withQuery } from "../api.js";
import { serviceNow } from "../clock.js";
import { h, icon, replace } from "../dom.js";
import { integerField } from "../fields.js";
import { many, momentOf, nameOf, numberOf, two } from "../format.js";
import { fill, outline } from "../loading.js";
import { warn } from "../messages.js";
import { sendingForm } from "../sending.js";
import { addressOf } from "../shell.js";

const names = {
  LOST_ANSWER: "Lost answer",
  UNAVAILABLE: "Service unavailable",
  POLL: "Failed poll",
  GONE: "Deletions that are gone",
  DUPLICATE: "Webhook message sent twice",
  TOO_MANY: "Too many requests",
  EXPIRED_TOKEN: "Expired token",
};
const tones = { PASSED: "good", FAILED: "bad" };
const grades = {
  GOOD: ["good", "Good", "All checks passed."],
  BAD: ["bad", "Bad", "A check failed."],
  INCOMPLETE: ["warn", "Incomplete", "No check failed, but not every fault was seen. Let your programs send more kinds of requests, and examine them again."],
};
const pause = 3000;  // between two requests
const mostIds = 10;  // of a check

const requestsOf = ({ requestIds }) => requestIds.length > 0 && h("ul", { class: "code" }, requestIds.slice(0, mostIds).map((id) => h("li", {}, id)),
  requestIds.length > mostIds && h("li", {}, `and ${numberOf(requestIds.length - mostIds)} more`));

const row = (check) => h("tr", {},
  h("th", { scope: "row" }, names[check.name] ?? nameOf(check.name)),
  h("td", {}, h("span", { class: `mark mark-${tones[check.result] ?? "plain"}` }, nameOf(check.result))),
  h("td", {}, check.why),
  h("td", {}, requestsOf(check)));

const table = (checks) => h("div", { class: "examination", tabindex: "0", role: "group", "aria-label": "Checks" },
  h("table", { class: "bulk-table" },
    h("caption", { class: "visually-hidden" }, "Checks"),
    h("thead", {}, h("tr", {}, ["Check", "Result", "Why", "Request IDs"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, checks.map(row))));

const notice = (text) => h("div", { class: "notice notice-bad" }, h("p", {}, text));

function stateOf({ state, grade, startedAt }) {
  if (state === "RUNNING") return "An examination is running. Let your programs run as usual.";
  const [tone, name, why] = grades[grade];
  return [h("span", { class: `mark mark-${tone}` }, name), ` ${why} The examination began ${momentOf(startedAt)}.`];
}

// "4:05"
function timeLeft(endsAt) {
  const seconds = Math.max(0, Math.ceil((new Date(endsAt) - serviceNow()) / 1000));
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

export function examinationPage({ organisation }) {
  const address = withQuery("/api/v1/accounts/examination", { organisationId: organisation.id });
  const minutes = integerField({ name: "minutes", label: "Minutes", required: true, obvious: true, hint: "1 to 15. The usual time is 5 minutes." });
  const form = h("div", { class: "panel narrow" }, sendingForm([minutes], "Begin the examination", begin, { values: { minutes: 5 }, wide: false }));
  const state = h("p", { role: "status" }), progress = h("p", { class: "muted" }), problem = h("div", { class: "form-error", role: "alert" }), checks = h("div", {});
  const report = h("div", { class: "stack" }, form, state, progress, problem, checks);
  const drawn = new Map();  // what each node shows
  let shown = null, etag = null, next = 0;

  // Resolves to no data when there was no examination yet.
  const load = () => get(address, { ifNoneMatch: etag }).catch((failure) => {
    if (failure.status !== 404) throw failure;
    return { data: null, etag: null };
  });

  // Draws only what differs: a selected text stays selected, and a screen reader says a fault once.
  function draw(node, found, make) {
    const text = JSON.stringify(found);
    if (drawn.get(node) !== text) replace(node, make(found));
    drawn.set(node, text);
  }

  const showProgress = () => replace(progress, shown.state === "RUNNING" && `${timeLeft(shown.endsAt)} left. `, `${many(shown.requests, "request")} watched.`);

  function show(answer) {
    ({ data: shown, etag } = answer);
    next = Date.now() + pause;
    form.hidden = shown?.state === "RUNNING";
    if (!shown) return;
    draw(state, [shown.state, shown.startedAt, shown.grade], () => stateOf(shown));
    draw(checks, shown.checks, table);
    showProgress();
  }

  async function look() {
    next = Infinity;  // until the answer is there
    try {
      const answer = await load();
      draw(problem, null, () => null);
      if (answer.unchanged) next = Date.now() + pause;
      else show(answer);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      next = Date.now() + Math.max(pause, (failure.wait ?? 0) * 1000);
      draw(problem, told(failure), notice);
    }
  }

  // Looks again each few seconds while an examination runs and the page can be seen.
  function watch() {
    const timer = setInterval(() => {
      if (!report.isConnected) return clearInterval(timer);
      if (document.hidden || shown?.state !== "RUNNING") return;
      showProgress();
      if (Date.now() >= next) look();
    }, 1000);
  }

  async function begin() {
    try {
      show(await post(address, { minutes: minutes.get() }));
    } catch (failure) {
      if (failure.status !== 409) throw failure;
      warn(told(failure));
      await look();
    }
    heading.focus();
  }

  const box = h("div", {});
  if (organisation.role !== "ADMIN") replace(box, h("p", {}, "Only administrators see and begin examinations."));
  else if (!organisation.test) replace(box, h("p", {}, "Only the programs of a test organisation can be examined."));
  else fill(box, load, (answer) => {
    show(answer);
    watch();
    return report;
  }, outline(3, "row"));
  const heading = h("h1", { tabIndex: -1 }, "Examination of programs");
  const node = h("section", { class: "page" },
    h("a", { class: "back", href: addressOf(organisation.slug, "integrations") }, icon("left"), "Integrations"),
    h("div", { class: "page-head" }, heading),
    h("p", { class: "muted lead-in" }, "An examination shows how your programs deal with faults. For some minutes the API makes seven faults, each once, such as an answer that is lost or a token that has expired. Let your programs run as usual meanwhile. A new examination replaces the report of the last one. ",
      h("a", { href: "/docs/accounts#getExamination" }, "What the checks want")),
    box);
  return { title: "Examination of programs", node };
}
