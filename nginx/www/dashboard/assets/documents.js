// The documents of a stock item: PDFs with titles, in an order that is changed by buttons.
import { Failure, told } from "./api.js";
import { h, icon, newId, replace } from "./dom.js";
import { errorNote } from "./fields.js";
import { many, sizeOf } from "./format.js";
import { oneLine } from "./texts.js";
import { fileFault, findUploads, pdfs, uploadFile } from "./upload.js";

const nameIn = (url) => decodeURIComponent(url.split("/").at(-1));

// A control for makeForm: its value is the service's `documents`.
export function documentsControl({ organisationId, max = 10 }) {
  let rows = [];  // {node, title, place} and uploadId, or file, waiting, running, failure, stop on its way
  const known = new Map();  // by uploadId: {url, name}
  const list = h("ol", { class: "documents" });
  const heard = h("p", { class: "visually-hidden", role: "status" });
  const error = errorNote();
  const inputId = newId("documents");
  const input = h("input", { type: "file", id: inputId, class: "visually-hidden file-input", accept: pdfs.accept, multiple: true });
  const zone = h("div", { class: "drop-documents" }, input,
    h("label", { htmlFor: inputId, class: "drop-label" }, h("span", {}, h("strong", {}, "Choose PDFs"), " or drop them here"),
      h("small", {}, `Such as a service history or a manual, up to 50 MB each, ${max} at most`)));
  const say = (text) => (heard.textContent = text);

  function rowOf(name) {
    const made = { name };
    made.title = h("input", { class: "form-control", "aria-label": `Title of ${name}`, placeholder: "Title", maxlength: "150", autocomplete: "off" });
    made.place = h("div", { class: "document-file" });
    const button = (kind, text, drawing, action) =>
      h("button", { type: "button", class: `bare ${kind}`, "aria-label": text, title: text, onclick: action }, icon(drawing));
    made.up = button("earlier", `Move ${name} up`, "up", () => move(made, -1));
    made.down = button("later", `Move ${name} down`, "down", () => move(made, 1));
    made.node = h("li", { class: "document" }, made.place, made.title, h("div", { class: "document-tools" }, made.up, made.down, button("remove", `Remove ${name}`, "remove", () => drop(made))));
    return made;
  }

  function placeOf(row) {
    if (row.uploadId) {
      const { url } = known.get(row.uploadId) ?? {};
      return url ? h("a", { href: url, target: "_blank", rel: "noopener" }, row.name) : row.name;
    }
    if (!row.failure) return [h("span", {}, row.name), row.bar];
    return [h("span", {}, row.name), h("p", { class: "field-error", role: "alert" }, row.failure),
      row.again && h("button", { type: "button", class: "btn btn-quiet btn-small", onclick() {
        row.title.focus();
        queue(row);
      } }, "Try again")];
  }

  // Rows that stay where they are keep the focus.
  function draw() {
    rows.forEach((row, i) => {
      replace(row.place, placeOf(row));
      row.up.disabled = i === 0;
      row.down.disabled = i === rows.length - 1;
      if (list.children[i] !== row.node) list.insertBefore(row.node, list.children[i] ?? null);
    });
    while (list.children.length > rows.length) list.lastChild.remove();
    list.hidden = rows.length === 0;
    zone.hidden = rows.length >= max;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function move(row, by) {
    const at = rows.indexOf(row), to = at + by;
    rows.splice(at, 1);
    rows.splice(to, 0, row);
    draw();
    say(`Now document ${to + 1} of ${rows.length}.`);
    const [same, other] = by < 0 ? [row.up, row.down] : [row.down, row.up];
    (same.disabled ? other : same).focus();
  }

  function drop(row) {
    const at = rows.indexOf(row);
    row.stop?.abort();
    rows = rows.filter((each) => each !== row);
    draw();
    say(`Removed. ${many(rows.length, "document")} left.`);
    (rows[Math.min(at, rows.length - 1)]?.node.querySelector(".remove") ?? input).focus();
  }

  function queue(row) {
    Object.assign(row, { failure: null, waiting: true, bar: h("progress", { max: 1, "aria-label": `${row.name}, ${sizeOf(row.file.size)}` }) });
    draw();
    next();
  }

  async function next() {
    const row = rows.find((each) => each.waiting);
    if (!row || rows.some((each) => each.running)) return;
    Object.assign(row, { waiting: false, running: true, stop: new AbortController() });
    try {
      const upload = await uploadFile(row.file, organisationId, pdfs, { progress: (share) => (row.bar.value = share), signal: row.stop.signal });
      known.set(upload.id, { url: upload.url, name: row.name });
      Object.assign(row, { uploadId: upload.id, file: null });
      say(`Uploaded: ${row.name}.`);
    } catch (failure) {
      if (!(failure instanceof Failure) && !row.stop.signal.aborted) throw failure;
      Object.assign(row, { failure: told(failure), again: failure.status !== 400 });
    } finally {
      row.running = false;
      if (rows.includes(row)) draw();
      next();
    }
  }

  async function add(files) {
    const refused = [];
    for (const file of [...files]) {
      const fault = await fileFault(file, pdfs) ?? (rows.length >= max ? `does not fit: ${max} documents are the most` : null);
      if (fault) refused.push(`“${file.name}” ${fault}.`);
      else {
        rows.push(Object.assign(rowOf(file.name), { file }));
        queue(rows.at(-1));
      }
    }
    control.error(refused.join(" "));
  }

  input.addEventListener("change", () => {
    add(input.files);
    input.value = "";
  });
  zone.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("target");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("target"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("target");
    add(event.dataTransfer.files);
  });

  const node = h("div", {}, list, zone, error.node, heard);
  const control = {
    name: "documents",
    label: "Documents",
    node,
    plain: (documents) => documents.map(({ uploadId, title }) => ({ uploadId, title })),
    get: () => rows.filter((row) => row.uploadId).map(({ uploadId, title }) => ({ uploadId, title: oneLine(title.value) || null })),
    // Files that are not there yet stay: the service does not know them.
    set(documents) {
      const before = new Map(rows.map((row) => [row.uploadId, row]));
      const there = (documents ?? []).map(({ uploadId, title, url }) => {
        if (url) known.set(uploadId, { url, name: nameIn(url) });
        const row = before.get(uploadId) ?? Object.assign(rowOf(known.get(uploadId)?.name ?? "document.pdf"), { uploadId });
        if (oneLine(row.title.value) !== (title ?? "")) row.title.value = title ?? "";
        return row;
      });
      rows = [...there, ...rows.filter((row) => row.file)];
      draw();
    },
    // A draft's; uploads that nothing shows go after a day.
    async restore(documents) {
      const found = await findUploads(documents.map((each) => each.uploadId));
      found.forEach(({ id, url, filename }) => url && known.set(id, { url, name: filename }));
      control.set(documents.filter(({ uploadId }) => found.some(({ id }) => id === uploadId)));
    },
    shown: (documents) => many(documents?.length ?? 0, "document"),
    error: error.show,
    focus: () => input.focus(),
    busy: () => rows.some((row) => row.waiting || row.running),
    failed: () => rows.some((row) => row.failure),
    links: () => rows.filter((row) => row.uploadId).map((row) => ({ title: oneLine(row.title.value) || row.name, url: known.get(row.uploadId)?.url })),
  };
  return control;
}
