// A set of fields, what they were when they came from the service, and what has changed since.
import { Failure } from "./api.js";
import { pauses } from "./dom.js";
import { forPeople } from "./sentences.js";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// A record's value of a control's field, in the form that the control's get() returns.
export const valueIn = (record, { name, plain }) => (plain && record[name] ? plain(record[name]) : record[name] ?? null);

// `controls` are fields, or anything with their name, get, set, error and focus; patch(before, now) may make a merge patch of a change.
export function makeForm(controls) {
  const before = new Map();
  const put = (control, values) => {
    control.set(values[control.name] ?? null);
    control.error(null);
    before.set(control, control.get());
  };
  const read = (control) => {
    try {
      return control.get();
    } catch (failure) {
      if (failure instanceof Failure) return failure;  // is no value, and so never the one from before
      throw failure;
    }
  };
  // Below the bar above it, and above the one below.
  const reach = (control) => {
    control.focus();
    control.node.scrollIntoView({ block: "center" });
  };
  const form = {
    controls,
    was: (control) => before.get(control),
    // Everything as the service has it.
    set: (values) => controls.forEach((control) => put(control, values)),
    // The same, for a form that is not shown yet.
    async begin(values) {
      const pause = pauses();
      for (const control of controls) {
        put(control, values);
        await pause();
      }
    },
    // What somebody else has changed, where nothing was typed.
    follow: (values) => controls.forEach((control) => same(read(control), before.get(control)) && put(control, values)),
    // What is in the fields now, to tell later what was typed since.
    snapshot: () => new Map(controls.map((control) => [control, read(control)])),
    // The service has taken `sent` and answered with values. A field that the user has changed since, also an incomplete one, stays as it is.
    // Only fields of these names are touched.
    accept(values, sent, names = controls.map(({ name }) => name)) {
      for (const control of controls.filter(({ name }) => names.includes(name))) {
        const typed = read(control), now = valueIn(values, control);
        before.set(control, now);
        const isFocused = control.input && control.input === document.activeElement;
        if (!same(typed, sent.get(control)) || (isFocused && same(typed, now))) continue;
        control.set(values[control.name] ?? null);
        before.set(control, control.get());
      }
    },
    // The fields whose values differ, as a merge patch. Throws the Failure of a field whose text can be no value.
    changes() {
      const changed = {};
      for (const control of controls) {
        const now = control.get();
        const was = before.get(control);
        if (!same(now, was)) changed[control.name] = control.patch ? control.patch(was, now) : now;
      }
      return changed;
    },
    unsaved: () => controls.some((control) => control.busy?.() || control.failed?.() || !same(read(control), before.get(control))),
    // The fields that are empty and required, or among `needed`, which are names. Marks them, and goes to the first.
    missing(needed = []) {
      const isEmpty = (control) => [null, ""].includes(read(control));
      const empty = controls.filter((control) => {
        if (control.check && !control.check()) return true;
        if (!needed.includes(control.name) || !isEmpty(control)) return false;
        control.error("Fill this in");
        return true;
      });
      if (empty.length > 0) reach(empty[0]);
      return empty;
    },
    value: (name) => read(controls.find((each) => each.name === name)),
    // Why the form cannot be saved yet, as a sentence; null when it can.
    held: () => (controls.some((control) => control.busy?.()) ? "Files are still on their way. Save when they are there."
      : controls.some((control) => control.failed?.()) ? "A file could not be sent. Try it again, or remove it; then save." : null),
    clear: () => controls.forEach((control) => control.error(null)),
    // Shows a failure beside the field that it names; false when it names none of ours.
    place(failure) {
      const name = failure.field?.split(/[.[]/)[0];
      const control = controls.find((each) => each.name === name);
      if (!control) return false;
      // The service calls other fields by its own names.
      const why = failure.why.replaceAll(/[A-Za-z]+/g, (word) => (/[A-Z]/.test(word) && form.label(word) ? `“${form.label(word)}”` : word));
      control.error(failure.field === name || forPeople(why) ? why : `${failure.field.slice(name.length + 1)} ${why}`);
      reach(control);
      return true;
    },
    reach,
    label: (name) => controls.find((each) => each.name === name)?.label ?? null,
  };
  return form;
}
