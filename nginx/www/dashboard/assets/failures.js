// What was refused out of many, each with its reason.
import { sentence } from "./api.js";
import { h } from "./dom.js";

const most = 100;

// A text of the service as a person reads it; it may begin with the field's name.
export function reasonOf(error) {
  const [, field, why] = /^(?:Invalid field: (\w+): |Unknown field: |Conflict: )?(.*)$/s.exec(error);
  const text = sentence(why);
  return field ? `${field.charAt(0).toUpperCase()}${field.slice(1)}: ${text}` : text;
}

// `failures`: [{name, why}].
export const failuresList = (failures) =>
  h("details", { class: "failures", open: failures.length <= 3 }, h("summary", {}, failures.length === 1 ? "1 was not changed" : `${failures.length} were not changed`),
    h("ul", {}, failures.slice(0, most).map(({ name, why }) => h("li", {}, h("strong", {}, name), ` – ${reasonOf(why)}`)),
      failures.length > most && h("li", {}, `and ${failures.length - most} more`)));
