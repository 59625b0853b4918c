// Where a table comes from: a file, or what is pasted.
import { decode, parse, separatorOf } from "./csv.js";
import { h, newId } from "./dom.js";
import { sizeOf } from "./format.js";

const mostBytes = 50_000_000;

// Calls read({name, text, separator, records}), name saying what was read, or refuse(sentence).
export function sourcePart({ read, refuse }) {
  const [fileId, textId] = [newId("csv-file"), newId("csv-text")];

  function take(name, whole) {
    const { separator, text } = separatorOf(whole);
    const records = parse(text, separator);
    if (records.length < 2) return refuse("There is nothing to import: a first line with headings is needed, and at least one line below it.");
    read({ name, text, separator, records });
  }

  async function choose() {
    const [file] = input.files;
    if (!file) return;
    if (file.size > mostBytes) return refuse(`“${file.name}” has ${sizeOf(file.size)}. At most ${sizeOf(mostBytes)} can be imported at once.`);
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return refuse(`“${file.name}” cannot be read. Choose it again.`);
    }
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return refuse(`“${file.name}” is a workbook. Save it as CSV in your spreadsheet program first.`);
    const { text, encoding } = decode(bytes);
    take(`“${file.name}”, ${sizeOf(file.size)}, read as ${encoding}`, text);
  }

  const input = h("input", { type: "file", class: "form-control", id: fileId, accept: ".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain", onchange: choose });
  // Chosen again after it was mended, it is read again.
  input.addEventListener("click", () => (input.value = ""));
  const pasted = h("textarea", { class: "form-control code", id: textId, rows: 4, spellcheck: "false", autocomplete: "off" });
  return h("div", { class: "stack" },
    h("div", {}, h("label", { class: "form-label", htmlFor: fileId }, "CSV file"), input),
    h("div", {}, h("label", { class: "form-label", htmlFor: textId }, "Or paste the table, as it comes from a spreadsheet"), pasted),
    h("div", {}, h("button", { type: "button", class: "btn btn-quiet", onclick: () => take("Pasted table", pasted.value) }, "Read pasted table")));
}
