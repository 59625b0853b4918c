// Fields of moments and of time zones.
import { field, momentIn, textField } from "./fields.js";
import { h, newId } from "./dom.js";
import { two } from "./format.js";

const typed = (at) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

// A day and a time, in the reader's own time.
export function momentField(given) {
  const input = h("input", { class: "form-control", type: "datetime-local", max: "9999-12-31T23:59" });
  let kept = { text: "", time: null };
  return field(given, input, {
    // The moment that is there may have seconds: it stays as long as the rest does.
    read: (text) => (text && text === kept.text ? kept.time : momentIn(input)),
    write(value) {
      kept = { text: value ? typed(new Date(value)) : "", time: value };
      return kept.text;
    },
  });
}

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

// A name of the IANA database, with all 400 offered to whoever comes to the field.
export function zoneField(given) {
  const list = h("datalist", { id: newId("zones") });
  const made = textField({ ...given, list: list.id, after: list });
  made.input.addEventListener("focus", () => list.append(...Intl.supportedValuesOf("timeZone").map((value) => h("option", { value }))), { once: true });
  return made;
}
