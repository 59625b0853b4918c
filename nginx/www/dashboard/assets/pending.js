// Changes of many records wait ten seconds, in which they can be undone; only then they are sent. The wait goes on over all pages of this
// document. A note in the browser tells of a change that the closing of the page cut off, and no other tab begins one meanwhile.
import { signedIn, told } from "./api.js";
import { h, icon, replace } from "./dom.js";
import { many } from "./format.js";
import { keep, lockOf, noteOf } from "./pending_notes.js";
import { say, warn } from "./messages.js";
import { session } from "./session.js";
import { failuresList } from "./failures.js";

const seconds = 10;
let current = null;  // the change that waits or is sent

const region = () => document.getElementById("pending");
const button = (text, onclick, kind = "quiet") => h("button", { type: "button", class: `btn btn-${kind}`, onclick }, text);
// The focus that was in the bar stays in it, and goes to the page with it.
function show(...content) {
  const had = region().contains(document.activeElement);
  const bar = h("div", { class: "pending-bar", tabindex: "-1" }, content);
  replace(region(), bar);
  if (had) bar.focus();
}
function hide() {
  const had = region().contains(document.activeElement);
  replace(region());
  if (had) document.getElementById("main")?.focus({ preventScroll: true });
}

// Resolves to the name of the button that is pressed, or to null after the seconds. `tick` is told how many are left, and ends it when it
// returns true.
function choice(buttons, wait = null, tick = () => {}) {
  return new Promise((resolve) => {
    const until = wait === null ? null : Date.now() + wait * 1000;
    const done = (name) => {
      clearInterval(timer);
      resolve(name);
    };
    const look = () => {
      if (until === null) return;
      if (tick(Math.max(0, Math.ceil((until - Date.now()) / 1000))) || Date.now() >= until) done(null);
    };
    const timer = setInterval(look, 200);
    look();
    buttons((name) => () => done(name));
  });
}

async function undone(change) {
  const clock = h("strong", { class: "clock", "aria-live": "off" });
  const chosen = await choice((on) => {
    show(h("p", {}, h("strong", {}, change.what), " in ", clock, " ", h("span", { class: "pending-note" },
      "Nothing is sent before. If you close this page, nothing is changed.")),
    h("div", { class: "pending-buttons" }, button("Undo", on("undo"), "main"), button("Do it now", on("now"))));
    region().querySelector("button").focus();
  }, seconds, (left) => void (clock.textContent = `${left} s.`));
  return chosen === "undo";
}

// Sends it, as often as the user wants to after a failure that stops all. Resolves to the task's result, or null when it was left.
async function sent(change) {
  let stopped = false, reached = 0;
  const line = h("span", { class: "clock", "aria-live": "off" });
  const drawn = () => show(h("p", {}, h("strong", {}, change.what), " is under way. ", line),
    change.steps && button("Stop here", () => (stopped = true)));
  const progress = (at) => {
    reached = at;
    line.textContent = `${at} of ${change.steps} are done.`;
    keep(change, "sending", at);
  };
  const wait = (left) => choice(() => {}, left, (now) => {
    line.textContent = `The service takes no more for now: going on in ${now} s.`;
    return stopped;
  });
  for (;;) {
    drawn();
    keep(change, "sending", reached);
    try {
      return await signedIn(() => change.run({ progress, wait, isStopped: () => stopped }));
    } catch (failure) {
      keep(change, "failed", reached);
      const chosen = await choice((on) => {
        show(h("p", {}, h("strong", {}, `${change.what}: not done${change.steps ? " to the end" : ""}.`), ` ${told(failure)} `, h("span", { class: "pending-note" },
          failure.status === 0 || failure.status >= 500 ? "Whether it has arrived is looked up when you try again." : change.steps ? "What is left is as it was." : "Nothing was changed.")),
        h("div", { class: "pending-buttons" }, button("Try again", on("again"), "main"), button("Leave it", on("leave"))));
      });
      if (chosen === "leave") return null;
    }
  }
}

function tell(change, { done, left = 0, failures }) {
  const text = left ? `${change.done(done)} Stopped: ${many(left, "is", "are")} left.` : change.done(done);
  if (failures.length === 0) return void say(text);
  show(h("p", {}, h("strong", {}, text)), failuresList(failures), button("Close", hide));
}

// Begins a change of many: {organisation, what ("Archive 12 items"), done(count) (what is said then), run({progress, wait, isStopped}) → {done,
// left, failures: [{name, why}]} or {refused: a sentence}, steps (how many requests, where each is one of its own)}. Says so when another one is under way, and
// resolves when it is over; true when it was sent.
export async function later(change) {
  const refuse = (where) => warn(`Another change is under way${where}. Undo it, or wait until it is over.`);
  if (current) return void refuse("");
  current = change;
  try {
    return await lockOf(change.organisation, async (mine) => {
      if (!mine) return void refuse(" in another tab");
      keep(change, "waiting");
      if (await undone(change)) {
        hide();
        keep(change, null);
        return void say("Undone: nothing was changed.");
      }
      const result = await sent(change);
      if (!result?.failures?.length) hide();
      keep(change, null);
      if (result?.refused) return void warn(result.refused);
      if (result) tell(change, result);
      document.dispatchEvent(new Event("recordschange"));
      return Boolean(result);
    });
  } finally {
    current = null;
  }
}

export const isUnderWay = () => current !== null;

addEventListener("beforeunload", (event) => {
  if (current && !document.body.hidden) event.preventDefault();  // as in router.js
});

// What became of a change that the closing of its page has cut off; for each page that is shown.
export function tellCutOff(organisation) {
  if (current || !organisation || !noteOf(organisation, session.user)) return;
  lockOf(organisation, (mine) => {
    const note = noteOf(organisation, session.user);
    if (!mine || !note || current) return;  // it is under way in another tab
    show(icon("warning"), h("p", {}, h("strong", {}, `“${note.what}” was stopped, because the page was closed. `), h("span", { class: "pending-note" }, note.text)),
      button("Close", () => {
        keep(note, null);
        hide();
      }));
  });
}
