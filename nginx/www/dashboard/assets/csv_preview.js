// What an import would change, what is wrong with which line, and the import itself.
import { Failure, signedIn } from "./api.js";
import { differing, linesFrom } from "./csv_items.js";
import { fields } from "./csv_columns.js";
import { confirm } from "./dialog.js";
import { h } from "./dom.js";
import { reasonOf } from "./failures.js";
import { mostLines, readFeed, writeFeed } from "./feed.js";
import { cut, many, nameOf, numberOf, priceOf } from "./format.js";
import { later } from "./pending.js";

const most = 100;

// Asks the service: {lines, faults, stock, etag, counts, unknown (faults that it did not name), mode}.
export const planImport = (organisation, { records, columns, rules, mode }) => signedIn(async () => {
  if (records.length > mostLines) throw new Failure(413, "Request body too large");
  for (let tries = 1; ; tries++) {
    const { data: stock, etag } = await readFeed(organisation.id);
    const { lines, faults } = linesFrom(records, columns, stock, rules);
    const none = { created: 0, updated: 0, unchanged: 0, archived: 0, failed: 0, failures: [] };
    try {
      const options = { ifMatch: etag, mode, onError: "skip", dryRun: true };
      const counts = lines.length === 0 ? none : (await writeFeed(organisation.id, lines.map((each) => each.line), options)).data;
      const refused = counts.failures.map(({ line, error }) => ({ record: lines[line - 1].record, why: reasonOf(error) }));
      const all = [...faults, ...refused].sort((a, b) => a.record.line - b.record.line);
      return { lines, faults: all, stock, etag, counts, unknown: counts.failed - refused.length, mode };
    } catch (failure) {
      if (failure.status !== 412 || tries === 5) throw failure;
    }
  }
});

const shown = (item, name) => {
  const value = item?.[name] ?? null;
  if (name === "price") return priceOf(value, item?.currency);
  if (value === null || value === "") return "empty";
  return ["condition", "status", "availability"].includes(name) ? nameOf(value) : cut(String(value), 80);
};

// ["Price: £10 → £12", …]
function changesOf(line, before) {
  return differing(line, before).flatMap((name) => {
    if (name !== "attributes") return [`${fields[name]}: ${shown(before, name)} → ${shown(line, name)}`];
    const [old, now] = [before.attributes, line.attributes];
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => old[key] !== now[key])
      .map((key) => `${key}: ${cut(old[key] ?? "", 80) || "empty"} → ${cut(now[key] ?? "", 80) || "empty"}`);
  });
}

function table(caption, heads, rows, rest = 0) {
  if (rows.length === 0) return null;
  const over = Math.max(0, rows.length - most) + rest;
  return h("div", { class: "csv-scroll", tabindex: "0", role: "group", "aria-label": caption }, h("table", { class: "bulk-table" }, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows.slice(0, most).map((row) => h("tr", {}, row().map((cell) => h("td", {}, cell)))), over > 0 && h("tr", {}, h("td", {}, `… and ${numberOf(over)} more`)))));
}

const called = (item) => [h("span", { class: "code" }, item.reference), " ", item.title];

// `imported()` is called when it was sent.
export function previewPart(organisation, plan, { imported }) {
  const { lines, faults, stock, counts, unknown, mode } = plan;
  const bad = new Set(faults.map((fault) => fault.record));
  const good = lines.filter((each) => !bad.has(each.record));
  const fresh = good.filter((each) => !each.before);
  const changed = good.filter((each) => each.before && differing(each.line, each.before).length > 0);
  const named = new Set(lines.map((each) => each.line.reference));
  const gone = counts.archived === 0 ? [] : stock.filter((item) => item.status !== "ARCHIVED" && !named.has(item.reference));
  const wrong = faults.length + unknown;
  const what = [counts.created && `${numberOf(counts.created)} new`, counts.updated && `${numberOf(counts.updated)} changed`, counts.archived && `${numberOf(counts.archived)} archived`].filter(Boolean).join(", ");
  const blocked = mode === "complete" && wrong > 0;

  async function start() {
    if (mode === "complete" && gone.length > 0 && !(await confirm(`Archive ${many(gone.length, "item")}?`, "The file is taken for the whole stock. What it does not name is archived, and buyers no longer see it.", { yes: "Import and archive" }))) return;
    const sent = await later({ organisation, what: `Import stock (${what})`, done: (count) => `Imported: ${many(count, "item")}.`, run: runOf(organisation, plan) });
    if (sent) imported();
  }

  return h("div", { class: "stack" },
    h("dl", { class: "csv-counts" }, [["New", counts.created], ["Changed", counts.updated], ["Unchanged", counts.unchanged], ["Archived", counts.archived], [wrong === 1 ? "Line with a fault" : "Lines with faults", wrong]]
      .map(([name, count]) => h("div", {}, h("dt", {}, name), h("dd", {}, numberOf(count))))),
    wrong > 0 && h("div", { class: "notice notice-bad", role: "alert" }, h("p", {}, h("strong", {}, `${many(wrong, "line")} cannot be imported.`),
      blocked ? ` Correct ${wrong === 1 ? "it" : "them"} first, or an item could be archived by mistake.` : " The other lines can. Correct the faults in the file and import it again.")),
    gone.length > 0 && h("div", { class: "notice notice-warn" }, h("p", {}, h("strong", {}, `${many(gone.length, "item")} will be archived`), " as the file does not name them.")),
    table("Lines with faults", ["Line", "Fault"], faults.map(({ record, why }) => () => [String(record.line), [why, h("span", { class: "raw-line" }, cut(record.raw, 2000))]]), unknown),
    table("New items", ["Item", "Price", "Status"], fresh.map(({ line }) => () => [called(line), shown(line, "price"), nameOf(line.status ?? "DRAFT")])),
    table("Changed items", ["Item", "What changes"], changed.map(({ line, before }) => () => [called(before), h("ul", { class: "plain-list" }, changesOf(line, before).map((text) => h("li", {}, text)))])),
    table("Archived items", ["Item", "Status now"], gone.map((item) => () => [called(item), nameOf(item.status)])),
    h("p", { class: "muted" }, blocked ? `Correct the faulty ${wrong === 1 ? "line" : "lines"} first.`
      : "You have ten seconds to undo it. If you close the page in that time, nothing is changed. After that the file is imported whole or not at all, apart from lines with faults."),
    h("div", {}, h("button", { type: "button", class: "btn btn-main", disabled: what === "" || blocked, onclick: start }, what === "" ? "There is nothing to import" : `Import: ${what}`)));
}

// The task for later(). What changed since the preview would not be what was agreed to.
const runOf = (organisation, { lines, etag, counts, mode }) => async () => {
  const outcome = ({ created, updated, archived, failures }) => ({ done: created + updated + archived,
    failures: failures.map(({ line, error }) => ({ name: `Line ${lines[line - 1].record.line}`, why: error })) });
  const sent = lines.map((each) => each.line);
  const onError = mode === "complete" ? "abort" : "skip";
  try {
    const { data } = await writeFeed(organisation.id, sent, { ifMatch: etag, mode, onError });
    return outcome(data);
  } catch (failure) {
    if (failure.status !== 412) throw failure;
    // The answer to a first try may have got lost: then there is nothing left to do, and what was counted before is what it did.
    const { data } = await writeFeed(organisation.id, sent, { mode, onError: "skip", dryRun: true });
    if (outcome(data).done === 0) return outcome({ ...counts, failures: data.failures });
    return { refused: "Nothing was imported: the stock has changed since the preview. Look at what will change once more." };
  }
};
