// The form of one record: saves what changed, keeps what was typed whatever happens, and says where it is wrong.
import { Failure, creating, get, patch, remove, sentence, told } from "./api.js";
import { inTurn, orGone, wish } from "./attempt.js";
import { confirm } from "./dialog.js";
import { h, painted } from "./dom.js";
import { drafted } from "./drafted.js";
import { editorFoot } from "./editor_foot.js";
import { makeForm } from "./form.js";
import { say, warn } from "./messages.js";
import { isDoneIn, overtaken } from "./overtaken.js";

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
  let saving = false;
  let sent = [];  // {change, values, names} of what was sent since the record was as it is here: its answer may have got lost
  const add = creating();
  let lost = null;  // {body, values, beside, done} of a new record whose answer did not come: it may have been made

  // For a user who has left this page, and does not see the form.
  const tellAway = (text) => warn(sentence(`${given.called?.(record ?? { title: form.value("title") }) ?? "The organisation"}: ${text}`));

  // `work` is what failed: {part, repeat(), isDone(), done, drop(now)}.
  function show(failure, work) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.status === 412 && record) return compare(work);
    if (!node.isConnected) return tellAway(`not saved. ${told(failure)}`);
    // "Conflict: reference is used by another item" names its field, too.
    const [, taken, why] = /^Conflict: (\w+) (is .+)$/s.exec(failure.message) ?? [];
    if (taken && form.place({ field: taken, why })) return foot.complain(h("p", {}, "Not saved: look at the field that is marked."));
    if (failure.field && form.place(failure)) return foot.complain(h("p", {}, "Not saved: look at the field that is marked."));
    if (failure.status === 0) return foot.complain(h("p", {}, "There is no connection to the server. What you typed is still here: save again when there is one."));
    foot.complain(h("p", {}, `Not saved. ${told(failure)}`));
  }

  async function compare({ part, repeat, isDone, done, drop }) {
    try {
      const now = await get(given.address(record));
      const settle = () => {
        take(now.data, now.etag);
        given.saved?.(record, false);
        draft.keep();
      };
      const own = sent.find((each) => isDoneIn(now.data, record, form, each));
      if (own) {
        form.accept(now.data, own.values, own.names);
        settle();
        return isDone() ? tell(done) : repeat();
      }
      if (!node.isConnected) return tellAway("not saved. Somebody else has changed it since.");
      foot.complain(overtaken(form, record, now.data, {
        mine() {
          form.follow(now.data);
          settle();
          inTurn(form, part, repeat);
        },
        theirs() {
          drop(now.data);
          settle();
        },
      }));
    } catch (failure) {
      show(failure);
    }
  }

  function take(data, tag) {
    [record, etag, sent] = [data, tag, []];
    foot.clear();
    draw();
  }

  const changeOf = (change) => (typeof change === "function" ? change(record, form.value) : change);
  const tell = (done) => say(typeof done === "function" ? done(record) : done);
  const isSaved = (change) => !form.unsaved() && Object.entries(changeOf(change)).every(([name, value]) => record[name] === value);

  // What is pressed while an answer is awaited is done after it, unless that was a failure. Pressed twice is not changed twice.
  function save(change, { done = "Saved.", needs } = {}) {
    const waits = saving;
    inTurn(form, "save", () => (waits && (foot.complains() || isSaved(change)) ? null : saveNow(change, done, needs)));
  }

  // Sends the POST again whose answer was lost. The form goes on with the record that it made; what was typed since is sent as a change.
  async function adopt() {
    try {
      const answer = await add(given.collection, lost.body);
      form.accept(answer.data, lost.values);
      take(answer.data, answer.etag);
      given.saved?.(record, true);
      draft.saved();
    } catch (failure) {
      if (![400, 409, 422].includes(failure.status)) throw failure;
      lost = null;  // it was not made
    }
  }

  async function saveNow(change, done, needs) {
    form.clear();
    foot.clear();
    const missing = form.missing(needs?.(form.value));
    if (missing.length > 0) return foot.lacks(missing, needs ? "Not published." : "Not saved.");
    if (foot.holds()) return;
    saving = true;
    draw();
    try {
      if (lost) await adopt();
      if (lost) {
        // The lost request did what its own button says, too, such as publishing: the message tells that.
        if (Object.keys(lost.beside).some((name) => !(name in changeOf(change)))) done = lost.done;
        lost = null;
        if (isSaved(change)) return tell(done);
      }
      const values = form.snapshot(), beside = changeOf(change), created = !record;
      const changes = { ...form.changes(), ...beside };
      if (record && Object.keys(changes).length === 0) return say("There is nothing to save.");
      sent.push({ change: beside, values, names: Object.keys(changes) });
      const answer = record ? await patch(given.address(record), changes, { ifMatch: etag }) : await create(changes, { values, beside, done });
      form.accept(answer.data, values);
      take(answer.data, answer.etag);
      tell(done);
      given.saved?.(record, created);
      draft.saved();
    } catch (failure) {
      await show(failure, { part: "save", done, repeat: () => saveNow(change, done, needs), isDone: () => isSaved(change), drop(now) {
        form.set(now);
        draft.discard();
      } });
    } finally {
      saving = false;
      draw();
    }
  }

  // Changes this part alone, whatever else was typed: that stays, unsaved.
  const apply = (change, done) => wish(form, record, change, () => applyNow(change, done));

  async function applyNow(change, done) {
    form.clear();
    foot.clear();
    saving = true;
    draw();
    const names = Object.keys(change);
    try {
      sent.push({ change, values: new Map(form.controls.map((control) => [control, form.was(control)])), names });
      const answer = await patch(given.address(record), change, { ifMatch: etag });
      form.accept(answer.data, form.snapshot(), names);
      take(answer.data, answer.etag);
      say(done);
      given.saved?.(record, false);
    } catch (failure) {
      await show(failure, { part: names[0], done, repeat: () => applyNow(change, done), isDone: () => names.every((name) => record[name] === change[name]), drop: form.follow });
    } finally {
      saving = false;
      draw();
    }
  }

  function create(changes, sending) {
    const defaults = typeof given.defaults === "function" ? given.defaults(form.value) : given.defaults;
    const filled = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
    const whole = filled({ ...defaults, ...changes });
    // A copy that lost a pair has it as null: a merge patch would take it away.
    if (whole.attributes) whole.attributes = filled(whole.attributes);
    return add(given.collection, whole).catch((failure) => {
      if (!(failure.status >= 400 && failure.status < 500)) lost = { ...sending, body: whole };
      throw failure;
    });
  }

  async function drop() {
    if (!(await confirm(`Delete ${given.called(record)}?`, ["It is gone for good.", given.keep].filter(Boolean).join(" "), { yes: "Delete" }))) return;
    inTurn(form, "delete", dropNow);
  }

  async function dropNow() {
    try {
      await remove(given.address(record), { ifMatch: etag }).catch(orGone);
      form.unsaved = () => false;
      draft.discard();
      // A user who has left this page stays where they are; a list that they see may have the record.
      if (node.isConnected) given.deleted();
      else document.dispatchEvent(new Event("recordschange"));
      say("Deleted.");
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (!node.isConnected) return tellAway(`not deleted. ${told(failure)}`);
      if (failure.status === 412) return foot.complain(h("p", {}, "Not deleted: somebody else has just changed it. Load the page again to see how."));
      foot.complain(h("p", {}, failure.status === 0 ? told(failure) : `Not deleted. ${told(failure)}`));
    }
  }

  async function pressed(button) {
    const { title, text, yes = button.label, no } = button.ask ?? {};
    if (button.ask && !(await confirm(title, text, { yes, no, danger: false }))) return;
    save(button.change ?? {}, button);
  }

  const foot = editorFoot(form, { lead: given.lead, pressed, drop: given.deleted && drop });
  const draw = () => foot.draw(given.buttons(record), { saving, deletes: Boolean(record) });

  await form.begin(record ?? given.start ?? {});
  draw();
  const draft = drafted(form, () => record);
  const [first, ...others] = [given.content].flat(Infinity).filter(Boolean);
  // Enter in a field saves as the first button does.
  const node = h("form", { class: "editor", novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    pressed(given.buttons(record)[0]);
  }, oninput() {
    draft.keep();
    foot.changed();
  }, onchange: draft.keep }, draft.node, first, foot.node);
  // A button may move the focus to a field of any part, so the first click puts all parts in their places.
  node.addEventListener("click", () => foot.node.before(...others.splice(0)), { capture: true, once: true });
  (async () => {
    while (others.length > 0) {
      await painted();
      foot.node.before(...others.splice(0, 1));
    }
  })();
  return { node, unsaved: () => form.unsaved(), discard: draft.discard, apply };
}
