// Tables as text, as RFC 4180 writes them, with any separator. Knows no page and no other module.

// Returns the records as [{line, cells, raw}]: the line of the text on which one begins, from 1, and its text as it stands. Lines without
// any text are left out. A record that breaks the rules has `fault`, too.
export function parse(text, separator = ",") {
  const records = [];
  let at = 0, line = 1;
  while (at < text.length) {
    const record = readRecord(text, at, separator);
    record.line = line;
    record.raw = text.slice(at, record.end);
    line += (record.raw.match(/\r\n|\r|\n/g) ?? []).length + 1;
    at = record.next;
    if (record.raw.trim() !== "") records.push({ line: record.line, cells: record.cells, raw: record.raw, ...(record.fault && { fault: record.fault }) });
  }
  return records;
}

// One record from `at`; it ends before its line break, and the next one begins behind it.
function readRecord(text, at, separator) {
  const cells = [];
  let fault = null;
  for (;;) {
    let cell = "";
    if (text[at] === '"') {
      const closing = closingQuote(text, at + 1);
      if (closing < 0) fault = "A quotation mark is opened and never closed.";
      const end = closing < 0 ? text.length : closing;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = Math.min(end + 1, text.length);
    }
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
    // Spaces behind a closing quotation mark are written by hand, and mean nothing.
    const rest = text.slice(at, end);
    if (cell === "" && text[at - 1] !== '"') cell = rest;
    else if (rest.trim() !== "") [cell, fault] = [cell + rest, fault ?? "There is text behind a closing quotation mark."];
    cells.push(cell);
    at = end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    return { cells, fault, end: at, next: at + (text.startsWith("\r\n", at) ? 2 : 1) };
  }
}

// Where the mark is that closes a quoted cell; two of them are one that belongs to the text. -1: nowhere.
function closingQuote(text, from) {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

// A spreadsheet evaluates a cell that begins with one of these characters as a formula, which can send other cells to a stranger (OWASP, "CSV
// Injection"). Guarded cells have a ' before the formula, which makes it text. Quotation marks alone do not help: a program that expects
// another separator splits cells within them. So each place behind a separator or a line break is guarded as well. A ' that stands there
// already gets another one, so that unguard() returns the exact value.
const formula = /^["']*[=+\-@\t\r]/, innerFormula = /([,;\t|\r\n])(?=["']*[=+\-@\t])/g;
const guardedFormula = /^'(?=["']*[=+\-@\t\r])/, guardedInnerFormula = /([,;\t|\r\n])'(?=["']*[=+\-@\t])/g;
const guard = (cell) => (formula.test(cell) ? "'" : "") + cell.replace(innerFormula, "$1'");

// The value of a parsed cell, without what write() added to it.
export const unguard = (cell) => cell.replace(guardedFormula, "").replace(guardedInnerFormula, "$1");

// Holds for every separator, since the program that opens the file may expect another one than the file has.
const needsQuotes = /[",;\t|\r\n]|^\s|\s$|^'*[=+\-@]/;
const quoted = (cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

// Returns the rows of cells as text. No cell is a formula, whichever separator its reader expects. parse() and unguard() return the same cells.
export const write = (rows, separator = ",") =>
  // A row of one empty cell would be an empty line, which parse() skips.
  rows.map((cells) => `${cells.length === 1 && cells[0] === "" ? '""' : cells.map((cell) => quoted(guard(cell))).join(separator)}\r\n`).join("");

const separators = [",", ";", "\t", "|"];

// The separator of a text: the one that parts the most of its first records into the same number of cells. Excel may name it in a first line
// of its own, which is no record.
export function separatorOf(text) {
  const named = /^sep=([,;\t|])\r?\n/i.exec(text);
  if (named) return { separator: named[1], text: text.slice(named[0].length) };
  const head = text.slice(0, 64_000);
  const points = separators.map((separator) => {
    const records = parse(head, separator).slice(0, 20);
    const width = records[0]?.cells.length ?? 0;
    return width < 2 ? 0 : records.filter((record) => record.cells.length === width).length * 1000 + width;
  });
  const best = points.indexOf(Math.max(...points));
  return { separator: separators[best], text };
}

// The text of a file's bytes, and how it is encoded: UTF-8, UTF-16 with its mark, else what Windows programs of western Europe write.
export function decode(bytes) {
  const begins = (...mark) => mark.every((byte, i) => bytes[i] === byte);
  if (begins(0xff, 0xfe)) return { text: new TextDecoder("utf-16le").decode(bytes), encoding: "UTF-16" };
  if (begins(0xfe, 0xff)) return { text: new TextDecoder("utf-16be").decode(bytes), encoding: "UTF-16" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "UTF-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
  }
}
