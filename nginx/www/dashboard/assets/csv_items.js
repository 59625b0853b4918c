// Lines of a table as stock items, and stock items as lines of a table.
import { currencies, inUnits, readAmount, writeAmount } from "./amounts.js";
import { currencyDigits, isCurrency } from "./codes.js";
import { unguard, write } from "./csv.js";
import { constantOf, constantsOf, fields, headingOfDetail, nameOfDetail } from "./csv_columns.js";
import { lineOf } from "./feed.js";
import { nameOf } from "./format.js";
import { statusAfter } from "./stock_status.js";
import { manyLines, oneLine } from "./texts.js";

// Why a cell cannot be used.
class Fault extends Error {}
const fault = (field, why) => {
  throw new Fault(`${fields[field]}: ${why}`);
};

// Spreadsheets write line breaks in their own way.
const unbroken = (text) => text.replaceAll("\r\n", "\n");

// A text as the service stores it; one that is stored already in another way stays so.
const textOf = (cell, before, form = manyLines) => (unbroken(cell) === unbroken(before ?? "") ? before : form(cell) || null);

function currencyOf(cell) {
  const text = currencies[cell.trim()] ?? cell.trim().toUpperCase();
  if (text !== "" && !isCurrency(text)) fault("currency", `“${cell.trim()}” is no currency such as GBP or EUR.`);
  return text || null;
}

function priceOf(cell, item, before, rules) {
  if (cell.trim() === "") return null;
  const amount = readAmount(cell, rules.mark);
  if (!amount || (amount.currency && !isCurrency(amount.currency))) fault("price", `“${cell.trim()}” is not a price such as ${rules.mark === "." ? "19,995.00" : "19.995,00"}.`);
  if (amount.currency && item.currency && amount.currency !== item.currency) fault("price", `“${cell.trim()}” is not in ${item.currency}, as the currency says.`);
  item.currency ??= amount.currency;
  const digits = currencyDigits(item.currency ?? (before ?? rules).currency);
  const units = inUnits(amount, digits);
  if (units === null) fault("price", `“${cell.trim()}” has more than ${digits} digits behind the ${rules.mark === "." ? "point" : "comma"}. Choose another number format above.`);
  return units;
}

function constant(field, cell, item) {
  if (cell.trim() === "") {
    // A status or an availability that is left out stays; a condition may be empty.
    if (field === "condition") item.condition = null;
    return;
  }
  const found = constantOf(field, cell);
  if (!found) fault(field, `“${cell.trim()}” is none of ${constantsOf(field).map(nameOf).join(", ")}.`);
  item[field] = found;
}

// A line of the feed from a record of the table: what has no column stays as `find(reference)` has it. `columns` are [{target, heading}];
// `rules`: mark (before decimals), currency (of what has none). Returns {line, before}; throws a Fault.
function lineFrom(cells, columns, find, rules) {
  const cellOf = (target) => unguard(cells[columns.findIndex((column) => column.target === target)] ?? "");
  const has = (target) => columns.some((column) => column.target === target);
  const reference = cellOf("reference");
  const before = find(reference) ?? find(oneLine(reference)) ?? null;
  if (oneLine(reference) === "") fault("reference", "it is missing.");
  const item = { ...(before ? lineOf(before) : {}), reference: before?.reference ?? oneLine(reference) };
  for (const name of ["title", "category", "make", "model", "variant"]) if (has(name)) item[name] = textOf(cellOf(name), before?.[name] ?? null, oneLine);
  if (has("description")) item.description = textOf(cellOf("description"), before?.description ?? null);
  for (const name of ["condition", "status", "availability"]) if (has(name)) constant(name, cellOf(name), item);
  if (has("year")) {
    const year = cellOf("year").trim();
    if (!/^(\d{4})?$/.test(year)) fault("year", `“${year}” is no year such as 2021.`);
    item.year = year === "" ? null : Number(year);
  }
  if (has("currency")) item.currency = currencyOf(cellOf("currency"));
  if (has("price")) {
    item.price = priceOf(cellOf("price"), item, before, rules);
    if (item.price !== null && !before) item.currency ??= rules.currency;
  }
  const move = before && statusAfter({ ...item, status: before.status }, item.status);
  if (move?.why) fault("status", move.why);
  const attributes = { ...item.attributes };
  columns.forEach(({ target, heading }, i) => {
    if (target !== "attributes") return;
    const named = nameOfDetail(heading);
    const name = named in attributes ? named : oneLine(named);
    const text = textOf(unguard(cells[i] ?? ""), attributes[name] ?? null);
    if (text === null) delete attributes[name];
    else attributes[name] = text;
  });
  if (has("attributes")) item.attributes = attributes;
  return { line: item, before };
}

// The names of the fields in which a line differs from the item before.
export function differing(line, before) {
  const sorted = (value) => JSON.stringify(value && typeof value === "object" ? Object.entries(value).sort() : (value ?? null));
  return Object.keys(line).filter((name) => sorted(line[name]) !== sorted(before?.[name]));
}

// Records of a table as lines of a feed: {lines: [{line, before, record}], faults: [{record, why}]}.
export function linesFrom(records, columns, stock, rules) {
  const byReference = new Map(stock.map((item) => [item.reference, item]));
  const seen = new Map();
  const lines = [], faults = [];
  for (const record of records) {
    try {
      if (record.fault) throw new Fault(record.fault);
      if (record.cells.length > columns.length && record.cells.slice(columns.length).some((cell) => cell !== "")) throw new Fault("The line has more cells than the first one.");
      const made = lineFrom(record.cells, columns, (reference) => byReference.get(reference), rules);
      const first = seen.get(made.line.reference);
      if (first) throw new Fault(`Reference: line ${first} of the file has the same one.`);
      seen.set(made.line.reference, record.line);
      lines.push({ ...made, record });
    } catch (failure) {
      if (!(failure instanceof Fault)) throw failure;
      faults.push({ record, why: failure.message });
    }
  }
  return { lines, faults };
}

// The table of all items. It can be read again, and then changes nothing.
export function tableOf(stock, separator) {
  const mark = separator === ";" ? "," : ".";
  const details = [...new Set(stock.flatMap((item) => Object.keys(item.attributes)))].sort();
  const names = Object.keys(fields);
  const cellOf = (item) => (name) => {
    if (name === "price") return item.price === null ? "" : writeAmount(item.price, currencyDigits(item.currency), mark);
    return String(item[name] ?? "");
  };
  const rows = [[...names.map((name) => fields[name]), ...details.map(headingOfDetail)],
    ...stock.map((item) => [...names.map(cellOf(item)), ...details.map((name) => item.attributes[name] ?? "")])];
  // Spreadsheets take a file for UTF-8 by its mark.
  return `\ufeff${write(rows, separator)}`;
}
