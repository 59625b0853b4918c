// What was read of a table, what its columns become, and how it is imported.
import { markOf, readAmount } from "./amounts.js";
import { unguard, parse } from "./csv.js";
import { columnsFault, fields, guess, nameOfDetail, remember } from "./csv_columns.js";
import { h, newId, replace } from "./dom.js";
import { choiceField } from "./fields.js";
import { cut, many, numberOf } from "./format.js";
import { currencyField, currencyOf } from "./places.js";

const separatorNames = [[",", "Comma ,"], [";", "Semicolon ;"], ["\t", "Tab"], ["|", "Bar |"]];
const modes = [
  ["merge", "Add and change", "Items that the file does not name stay as they are."],
  ["complete", "The file is the whole stock", "Items that the file does not name are archived: buyers no longer see them."],
];

const filled = (field, value) => (field.set(value), field);

// `table` as csv_source.js reads it. Calls preview({records, columns, rules, mode}), and changed() when what was shown is no longer so.
export function mappingPart(organisation, table, { preview, changed }) {
  let records = table.records, headings = [], targets = [], touched = false;
  const problem = h("div", { class: "form-error", role: "alert" });
  const box = h("div", { class: "csv-scroll", tabindex: "0", role: "group", "aria-label": "Columns" });
  const read = h("p", {});
  const understood = h("p", { class: "form-text", role: "status" });
  const separator = filled(choiceField({ name: "separator", label: "Column separator" }, separatorNames, { empty: null }), table.separator);
  const mark = choiceField({ name: "mark", label: "Number format", after: understood }, [[".", "19,995.00"], [",", "19.995,00"]], { empty: null });
  const currency = filled(currencyField({ name: "currency", label: "Currency if none is given" }), "GBP");
  currencyOf(organisation).then((usual) => {
    if (touched || usual === null || usual === currency.get()) return;
    currency.set(usual);
    isChanged();
  }, () => {});
  const group = newId("mode");
  const radios = modes.map(([value, label, text]) => {
    const id = newId("mode");
    const input = h("input", { type: "radio", name: group, value, id, class: "form-check-input", checked: value === "merge" });
    return { input, node: h("div", { class: "form-check" }, input, h("label", { htmlFor: id }, h("strong", {}, label), ` – ${text}`)) };
  });

  const cells = (target) => {
    const at = targets.indexOf(target);
    return at < 0 ? [] : records.slice(1).map((record) => unguard(record.cells[at] ?? "")).filter(Boolean);
  };
  function showNumber() {
    const [text] = cells("price");
    const amount = text && readAmount(text, mark.get());
    understood.textContent = !text ? "" : amount ? `“${cut(text, 40)}” means ${numberOf(BigInt(amount.whole))}${amount.decimals && `.${amount.decimals}`}.` : `“${cut(text, 40)}” is not a price.`;
  }
  const isChanged = () => {
    replace(problem);
    showNumber();
    changed();
  };

  function select(i) {
    const input = h("select", { class: "form-select", "aria-label": `Import “${headings[i]}” as`, onchange: () => {
      targets[i] = input.value;
      if (input.value === "price") mark.set(markOf(cells("price")) ?? mark.get());
      isChanged();
    } }, h("option", { value: "" }, "Leave out"), Object.entries(fields).map(([value, text]) => h("option", { value }, text)),
    headings[i].trim() && h("option", { value: "attributes" }, `Further detail “${cut(nameOfDetail(headings[i]), 40)}”`));
    input.value = targets[i];
    return input;
  }
  function draw() {
    headings = records[0].cells.map(unguard);
    targets = guess(organisation, headings);
    mark.set(markOf(cells("price")) ?? (separator.get() === ";" ? "," : "."));
    read.textContent = `${table.name}: ${many(records.length - 1, "line")} below the headings.`;
    replace(box, h("table", { class: "bulk-table csv-columns" },
      h("thead", {}, h("tr", {}, ["Heading", "First lines", "Import as"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, headings.map((heading, i) => h("tr", {}, h("td", {}, heading || "(none)"),
        h("td", { class: "muted" }, records.slice(1, 4).map((record) => cut(unguard(record.cells[i] ?? ""), 40)).filter(Boolean).join("\n")), h("td", {}, select(i)))))));
    isChanged();
  }
  currency.input.addEventListener("input", () => (touched = true));
  separator.input.addEventListener("change", () => {
    records = parse(table.text, separator.get());
    draw();
  });
  draw();

  function submit(event) {
    event.preventDefault();
    const wrong = columnsFault(headings, targets);
    if (wrong) return void replace(problem, h("div", { class: "notice notice-bad" }, h("p", {}, wrong)));
    remember(organisation, headings, targets);
    preview({ records: records.slice(1), columns: headings.map((heading, i) => ({ heading, target: targets[i] })), mode: radios.find(({ input }) => input.checked).input.value,
      rules: { mark: mark.get(), currency: currency.get() } });
  }
  const node = h("form", { class: "stack", novalidate: true, onsubmit: submit },
    read, h("div", { class: "grid" }, separator.node, mark.node, currency.node),
    box, h("p", { class: "form-text" }, "What has no column stays as it is, and so do pictures and documents. An empty cell empties its field."),
    h("fieldset", { class: "choices" }, h("legend", {}, "How it is imported"), radios.map((radio) => radio.node)),
    problem, h("div", {}, h("button", { type: "submit", class: "btn btn-main" }, "Show what will change")));
  node.addEventListener("input", isChanged);
  return node;
}
