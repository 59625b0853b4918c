// The form of one record: saves what changed, keeps what was typed whatever happens, and says where it is wrong.
import { Failure, creating, get, patch, remove, told } from "./api.js";
import { confirm } from "./dialog.js";
import { h, painted, replace } from "./dom.js";
import { drafted } from "./drafted.js";
import { makeForm } from "./form.js";
import { say } from "./messages.js";
import { overtaken } from "./overtaken.js";

// `given`:
//   controls, content   the fields, and the node that has them
//   record, etag        as the service has it; record null makes a new one
//   address(record)     of the record; `collection` of all of them
//   start               what the fields of a new one show; defaults, what it has beside what was typed: an object, or made by defaults(value)
//   buttons(record)     [{label, change, kind, ask, done, needs}]: save, with `change`, an object or what change(record, value)
//                       returns, beside what was typed; `done` is said then, a text
//                       or a function of the record; needs(value) lists the names of fields that must not be empty, value(name) reads one
//   lead                a node before the buttons
//   keep                what keeps a record instead of deleting it, as a sentence
//   saved(record, created), deleted()   what comes next; without `deleted` there is no such button
export async function editor(given) {
  let { record, etag } = given;
  const form = makeForm(given.controls);
  const problem = h("div", { class: "form-error", role: "alert" });
  const bar = h("div", { class: "save-bar" });
  let saving = false, again = null;  // what was pressed while the last answer was still awaited
  const add = creating();

  const linkTo = (control) => h("li", {}, h("a", { href: `#${control.input.id}`, onclick: (event) => {
    event.preventDefault();
    form.reach(control);
  } }, control.label));

  const complain = (...content) => replace(problem, h("div", { class: "notice notice-bad" }, content));

  function show(failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.status === 412 && record) return compare();
    // "Conflict: reference is used by another item" names its field, too.
    const [, taken, why] = /^Conflict: (\w+) (is .+)$/s.exec(failure.message) ?? [];
    if (taken && form.place({ field: taken, why })) return complain(h("p", {}, "Not saved: look at the field that is marked."));
    if (failure.field && form.place(failure)) return complain(h("p", {}, "Not saved: look at the field that is marked."));
    if (failure.status === 0) return complain(h("p", {}, "There is no connection to the server. What you typed is still here: save again when there is one."));
    complain(h("p", {}, `Not saved. ${told(failure)}`));
  }

  // Whether the record has all values that the last request sent, and no other change: then that request was done, and its answer was lost.
  function isOwn(data) {
    return Object.keys(data).every((name) => name === "updatedAt" || JSON.stringify(data[name]) === JSON.stringify(name in asked ? asked[name] : record[name]));
  }

  async function compare() {
    try {
      const now = await get(given.address(record));
      const settled = () => {
        take(now.data, now.etag);
        given.saved?.(record, false);
        draft.saved();
      };
      if (isOwn(now.data)) {
        form.accept(now.data, form.snapshot(), Object.keys(asked));
        settled();
        return say("Saved.");
      }
      complain(overtaken(form, record, now.data, {
        mine: () => { [record, etag] = [now.data, now.etag]; save(pending); },
        theirs: () => {
          form.set(now.data);
          settled();
        },
      }));
    } catch (failure) {
      show(failure);
    }
  }

  function take(data, tag) {
    [record, etag] = [data, tag];
    replace(problem);
    draw();
  }

  const changeOf = (change) => (typeof change === "function" ? change(record, form.value) : change);
  let pending = {}, asked = {};
  async function save(change, { done = "Saved.", needs } = {}) {
    if (saving) {
      again = [change, { done, needs }];
      return;
    }
    form.clear();
    replace(problem);
    const missing = form.missing(needs?.(form.value));
    if (missing.length > 0) return complain(h("p", {}, h("strong", {}, needs ? "Not published." : "Not saved."), ` Fill ${missing.length === 1 ? "this" : "these"} in:`), h("ul", {}, missing.map(linkTo)));
    if (form.busy()) return complain(h("p", {}, "Pictures are still on their way. Save when they are there."));
    pending = change = changeOf(change);
    saving = true;
    draw();
    const created = !record;
    let next = null;
    try {
      const sent = form.snapshot();
      const changes = (asked = { ...form.changes(), ...change });
      if (record && Object.keys(changes).length === 0) return say("There is nothing to save.");
      const answer = record ? await patch(given.address(record), changes, { ifMatch: etag }) : await create(changes);
      form.accept(answer.data, sent);
      take(answer.data, answer.etag);
      say(typeof done === "function" ? done(record) : done);
      given.saved?.(record, created);
      draft.saved();
      next = again;
    } catch (failure) {
      show(failure);
    } finally {
      saving = false;
      again = null;
      draw();
    }
    // Pressed twice is not changed twice.
    if (next && (form.unsaved() || Object.entries(changeOf(next[0])).some(([name, value]) => record[name] !== value))) save(...next);
  }

  // Changes this part alone, whatever else was typed: that stays, unsaved.
  async function apply(change, done) {
    if (saving) return;
    form.clear();
    replace(problem);
    pending = asked = change;
    saving = true;
    draw();
    try {
      const answer = await patch(given.address(record), change, { ifMatch: etag });
      form.accept(answer.data, form.snapshot(), Object.keys(change));
      take(answer.data, answer.etag);
      say(done);
      given.saved?.(record, false);
    } catch (failure) {
      show(failure);
    } finally {
      saving = false;
      draw();
    }
  }

  function create(changes) {
    const defaults = typeof given.defaults === "function" ? given.defaults(form.value) : given.defaults;
    const filled = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
    const whole = filled({ ...defaults, ...changes });
    // A copy that lost a pair has it as null: a merge patch would take it away.
    if (whole.attributes) whole.attributes = filled(whole.attributes);
    return add(given.collection, whole);
  }

  async function drop() {
    if (!(await confirm(`Delete ${given.called(record)}?`, ["It is gone for good.", given.keep].filter(Boolean).join(" "), { yes: "Delete" }))) return;
    try {
      await remove(given.address(record), { ifMatch: etag });
      form.unsaved = () => false;
      draft.discard();
      given.deleted();
      say("Deleted.");
    } catch (failure) {
      if (failure instanceof Failure && failure.status === 412) return complain(h("p", {}, "Not deleted: somebody else has just changed it. Load the page again to see how."));
      show(failure);
    }
  }

  async function pressed(button) {
    const { title, text, yes = button.label, no } = button.ask ?? {};
    if (button.ask && !(await confirm(title, text, { yes, no, danger: false }))) return;
    save(button.change ?? {}, button);
  }

  const buttonOf = (button) =>
    h("button", { type: button.kind === "main" ? "submit" : "button", class: `btn btn-${button.kind ?? "quiet"}`, onclick: (event) => {
      event.preventDefault();
      pressed(button);
    } }, button.label);

  // Buttons are made anew only when they become others, so that the focus stays on the one that was pressed.
  let drawn = null;
  function draw() {
    bar.toggleAttribute("aria-busy", saving);
    const buttons = given.buttons(record);
    const names = JSON.stringify([buttons, Boolean(record)]);
    if (names === drawn) return;
    drawn = names;
    const focused = [...bar.children].indexOf(document.activeElement);
    replace(bar, given.lead, buttons.map(buttonOf),
      record && given.deleted && h("button", { type: "button", class: "btn btn-text-danger", onclick: drop }, "Delete"));
    // Where the one that was pressed has gone, the one in its place.
    if (focused >= 0) (bar.children[focused] ?? bar.lastElementChild)?.focus({ preventScroll: true });
  }

  await form.begin(record ?? given.start ?? {});
  draw();
  const draft = drafted(form, () => record);
  const [first, ...others] = [given.content].flat(Infinity).filter(Boolean);
  const foot = h("div", { class: "save-foot" }, problem, bar);
  // Enter in a field saves as the first button does.
  const node = h("form", { class: "editor", novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    pressed(given.buttons(record)[0]);
  }, oninput: draft.keep, onchange: draft.keep }, draft.node, first, foot);
  (async () => {
    for (const part of others) {
      await painted();
      foot.before(part);
    }
  })();
  return { node, unsaved: () => form.unsaved(), discard: draft.discard, apply };
}
