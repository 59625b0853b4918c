// Filters of a list that are needed less often, behind a button: fields that are used together.
import { Failure } from "./api.js";
import { h } from "./dom.js";

// A filter for listPage. `build` makes the fields, as fields.js has them; each is a filter by its name.
export function moreFilters(build) {
  const names = build().map((field) => field.name);
  return {
    names,
    make(change) {
      const fields = build();
      const summary = h("summary", {}, "More filters");
      const node = h("details", { class: "more-filters" }, summary,
        h("form", { class: "panel", novalidate: true, onsubmit: submit }, h("div", { class: "grid" }, fields.map((field) => field.node)),
          h("div", { class: "save-bar" }, h("button", { type: "submit", class: "btn btn-main" }, "Apply"),
            h("button", { type: "button", class: "btn btn-quiet", onclick: () => change(Object.fromEntries(names.map((name) => [name, null]))) }, "Clear"))));
      function submit(event) {
        event.preventDefault();
        const values = {};
        for (const field of fields) {
          try {
            values[field.name] = field.get();
          } catch (failure) {
            if (!(failure instanceof Failure)) throw failure;
            field.error(failure.why);
            return field.focus();
          }
        }
        change(values);
      }
      function set(query) {
        for (const field of fields) {
          field.set(query[field.name] ?? null);
          field.error(null);
        }
        const used = names.filter((name) => query[name]).length;
        summary.textContent = used > 0 ? `More filters (${used})` : "More filters";
      }
      return { node, set };
    },
  };
}
