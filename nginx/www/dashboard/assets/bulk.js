// Dialogs before a change of many records: what is to be, and what it would change.
import { Failure } from "./api.js";
import { dialog } from "./dialog.js";
import { h, replace } from "./dom.js";
import { many, numberOf } from "./format.js";

const most = 100;

// `given`: fields; noun; heads of the old and the new value; plan() → {changes: [{item, after, from(), to()}], same, refused: [{item, why}]}, or throws the Failure of a field; yes(count)
// the button's text; note. Resolves to the changes, null when it was left.
export function bulkDialog(title, given) {
  const said = h("p", { role: "status" });
  const shown = h("div", { class: "bulk-preview", tabindex: "0", role: "group", "aria-label": "Preview" });
  const button = h("button", { type: "submit", class: `btn btn-${given.kind ?? "main"}` });
  const which = given.noun[0].charAt(0).toUpperCase() + given.noun[0].slice(1);
  let plan = null;

  const line = (...cells) => h("tr", {}, cells.map((cell) => h("td", { class: cells.length === 3 && cell !== cells[0] && "fact" }, cell)));
  const called = (item) => [h("strong", {}, item.title), item.reference && [" ", h("span", { class: "code" }, item.reference)]];
  const table = (caption, heads, rows, count) => rows.length > 0 && h("table", { class: "bulk-table" }, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", class: heads.length === 3 && i > 0 && "fact" }, head)))),
    h("tbody", {}, rows, count > most && line(`… and ${numberOf(count - most)} more`)));

  function look() {
    given.fields.forEach((field) => field.error(null));
    plan = null;
    try {
      plan = given.plan();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      given.fields.find((field) => field.name === failure.field)?.error(failure.why);
    }
    const { changes = [], same = 0, refused = [] } = plan ?? {};
    button.disabled = changes.length === 0;
    replace(button, given.yes(changes.length));
    said.textContent = !plan ? "" : [`${many(changes.length, ...given.noun)} will be ${given.verb ?? "changed"}`, same && `${same} ${same === 1 ? "is" : "are"} so already`,
      refused.length && `${refused.length} cannot be`].filter(Boolean).join(", ") + ".";
    replace(shown,
      table("What cannot be changed, and stays as it is", [which, "Why"], refused.slice(0, most).map(({ item, why }) => line(called(item), why)), refused.length),
      table(given.kind === "danger" ? "What will be deleted" : "What will change", changes[0]?.to ? [which, ...(given.heads ?? ["Now", "New"])] : [which],
        changes.slice(0, most).map(({ item, from, to }) => (to ? line(called(item), from(), to()) : line(called(item)))), changes.length));
    shown.hidden = !shown.firstChild;
  }

  return dialog(title, (close) => {
    const form = h("form", { class: "stack", novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      if (plan?.changes.length) close(plan.changes);
    } },
    given.fields.length > 0 && h("div", { class: "grid" }, given.fields.map((field) => field.node)), said, shown,
    h("p", { class: "muted" }, given.note, " You have ten seconds to undo it. If you close the page in that time, nothing is changed."),
    h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-quiet", autofocus: given.kind === "danger", onclick: () => close(null) }, "Cancel"), button));
    form.addEventListener("input", look);
    look();
    return form;
  }, { wide: true });
}

// A plan: after(item) gives what is new, {why} where it cannot be, or null where it is so already; shown(item) is how the old or the new one
// looks.
export function planOf(items, after, shown) {
  const plan = { changes: [], same: 0, refused: [] };
  for (const item of items) {
    const values = after(item);
    if (values === null) plan.same++;
    else if (values.why) plan.refused.push({ item, why: values.why });
    else plan.changes.push({ item, after: values, from: () => shown(item), to: () => shown({ ...item, ...values }) });
  }
  return plan;
}
