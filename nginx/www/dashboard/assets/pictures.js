// The pictures of a stock item: added by dropping files or choosing them, in an order that is changed by dragging or by buttons.
import { Failure, told } from "./api.js";
import { dialog } from "./dialog.js";
import { h, icon, newId, redraw } from "./dom.js";
import { errorNote } from "./fields.js";
import { many, sizeOf } from "./format.js";
import { fileFault, findUploads, pictures as taken, uploadFile } from "./upload.js";

const atOnce = 2;

// A control for makeForm: its value is the service's `images`.
export function picturesControl({ organisationId, max = 40 }) {
  let pictures = [];  // {uploadId, thumbnailUrl} or {file, preview, share, failure, stop} on its way
  const list = h("ol", { class: "pictures" });
  const heard = h("p", { class: "visually-hidden", role: "status" });
  const error = errorNote();
  const inputId = newId("pictures");
  const input = h("input", { type: "file", id: inputId, class: "visually-hidden file-input", accept: taken.accept, multiple: true });
  const zone = h("div", { class: "drop" }, input,
    h("label", { htmlFor: inputId, class: "drop-label" }, icon("picture"), h("span", {}, h("strong", {}, "Choose pictures"), " or drop them here"),
      h("small", {}, `JPEG, PNG or WebP, up to 50 MB each, ${max} at most`)));

  const known = new Map();  // what was shown of each upload, by its id
  const nameOf = (picture) => `picture ${pictures.indexOf(picture) + 1}`;
  const ready = () => pictures.filter((picture) => picture.uploadId);
  const say = (text) => (heard.textContent = text);

  function drop(picture) {
    const at = pictures.indexOf(picture);
    picture.stop?.abort();
    if (picture.preview) URL.revokeObjectURL(picture.preview);
    pictures = pictures.filter((each) => each !== picture);
    draw();
    say(`Removed. ${many(pictures.length, "picture")} left.`);
    const next = list.children[Math.min(at, pictures.length - 1)]?.querySelector(".remove");
    (next ?? input).focus();
  }

  function move(picture, to, focus) {
    if (to < 0 || to >= pictures.length) return;
    pictures = pictures.filter((each) => each !== picture);
    pictures.splice(to, 0, picture);
    draw();
    say(`Now picture ${to + 1} of ${pictures.length}.`);
    if (!focus) return;
    const buttons = list.children[to].querySelectorAll(focus);
    const button = [...buttons].find((each) => !each.disabled) ?? list.children[to].querySelector(".picture-tools button:not(:disabled)");
    button?.focus();
  }

  const enlarge = (picture) => dialog(nameOf(picture).replace("p", "P"), (close) => [
    h("img", { class: "picture-large", src: picture.url ?? picture.preview ?? picture.thumbnailUrl, alt: "" }),
    h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-quiet", autofocus: true, onclick: () => close() }, "Close"))], { wide: true });

  let dragged = null;
  function tile(picture) {
    const at = pictures.indexOf(picture);
    const name = nameOf(picture);
    const button = (kind, text, drawing, disabled, action) =>
      h("button", { type: "button", class: `bare ${kind}`, "aria-label": text, "data-keep": text, title: text, disabled, onclick: action }, icon(drawing));
    const node = h("li", { class: "picture", draggable: "true" },
      h("div", { class: "picture-frame" },
        picture.status && picture.status !== "READY" ? h("p", { class: "muted" }, picture.status === "FAILED" ? "It could not be fetched." : "It is being fetched.")
        : h("button", { type: "button", class: "picture-open", "aria-label": `Enlarge ${name}`, "data-keep": `Enlarge ${name}`, onclick: () => enlarge(picture) },
          h("img", { src: picture.thumbnailUrl ?? picture.preview, alt: picture.file?.name ?? "", draggable: "false" })),
        at === 0 && h("span", { class: "picture-first" }, "Main picture"), picture.file && progressOf(picture)),
      h("div", { class: "picture-tools" },
        button("earlier", `Move ${name} earlier`, "left", at === 0, () => move(picture, at - 1, ".earlier")),
        button("later", `Move ${name} later`, "right", at === pictures.length - 1, () => move(picture, at + 1, ".later")),
        at > 0 && button("first", `Make ${name} the main one`, "star", false, () => move(picture, 0, ".later")),
        button("remove", `Remove ${name}`, "remove", false, () => drop(picture))));
    node.addEventListener("dragstart", (event) => {
      dragged = picture;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", name);
      node.classList.add("dragged");
    });
    node.addEventListener("dragend", () => {
      dragged = null;
      node.classList.remove("dragged");
    });
    node.addEventListener("dragover", (event) => dragged && dragged !== picture && (event.preventDefault(), node.classList.add("target")));
    node.addEventListener("dragleave", () => node.classList.remove("target"));
    node.addEventListener("drop", (event) => {
      if (!dragged) return;
      event.preventDefault();
      event.stopPropagation();
      move(dragged, at);
    });
    return node;
  }

  function progressOf(picture) {
    if (picture.failure)
      return h("div", { class: "picture-failed", role: "alert" }, h("p", {}, picture.failure),
        picture.again && h("button", { type: "button", class: "btn btn-quiet btn-small", onclick() {
          list.children[pictures.indexOf(picture)].querySelector(".picture-open").focus();
          queue(picture);
        } }, "Try again"));
    picture.bar ??= h("progress", { max: 1, "aria-label": `${picture.file.name}, ${sizeOf(picture.file.size)}` });
    if (picture.share !== undefined) picture.bar.value = picture.share;
    return picture.bar;
  }

  function draw() {
    redraw(list, pictures.map(tile));
    list.hidden = pictures.length === 0;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function queue(picture) {
    Object.assign(picture, { failure: null, waiting: true, bar: null, share: undefined });
    draw();
    next();
  }

  function next() {
    const under = pictures.filter((picture) => picture.running).length;
    pictures.filter((picture) => picture.waiting).slice(0, Math.max(0, atOnce - under)).forEach(run);
  }

  async function run(picture) {
    Object.assign(picture, { waiting: false, running: true, stop: new AbortController() });
    const progress = (share) => {
      picture.share = share;
      picture.bar.value = share;
    };
    try {
      const upload = await uploadFile(picture.file, organisationId, taken, { progress, signal: picture.stop.signal });
      Object.assign(picture, { uploadId: upload.id, thumbnailUrl: upload.thumbnailUrl, url: upload.url, file: null });
      URL.revokeObjectURL(picture.preview);
      say(`Uploaded: ${many(ready().length, "picture")} of ${pictures.length}.`);
    } catch (failure) {
      if (!(failure instanceof Failure) && !picture.stop.signal.aborted) throw failure;
      const refused = failure.status === 400;
      Object.assign(picture, { failure: told(failure), again: !refused });
    } finally {
      picture.running = false;
      if (pictures.includes(picture)) draw();
      next();
    }
  }

  async function add(files) {
    const refused = [];
    for (const file of [...files]) {
      const fault = await fileFault(file, taken) ?? (pictures.length >= max ? `does not fit: ${max} pictures are the most` : null);
      if (fault) refused.push(`“${file.name}” ${fault}.`);
      else pictures.push({ file, preview: URL.createObjectURL(file), waiting: true });
    }
    control.error(refused.join(" "));
    draw();
    next();
  }

  input.addEventListener("change", () => {
    add(input.files);
    input.value = "";
  });
  zone.addEventListener("dragover", (event) => {
    if (dragged || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("target");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("target"));
  zone.addEventListener("drop", (event) => {
    zone.classList.remove("target");
    if (dragged) return;
    event.preventDefault();
    add(event.dataTransfer.files);
  });

  const node = h("div", {}, list, zone, error.node, heard);
  const control = {
    name: "images",
    label: "Pictures",
    node,
    get: () => control.plain(ready()),
    plain: (images) => images.map(({ uploadId }) => ({ uploadId })),
    shown: (images) => many(images?.length ?? 0, "picture"),
    // Files that are not there yet stay: the service does not know them.
    set(images) {
      for (const picture of ready()) known.set(picture.uploadId, picture);
      const there = (images ?? []).map(({ uploadId, url, thumbnailUrl = url, status }) => {
        const before = known.get(uploadId);
        return { uploadId, url: url ?? before?.url, status: status ?? before?.status, thumbnailUrl: thumbnailUrl ?? before?.thumbnailUrl };
      });
      pictures = [...there, ...pictures.filter((picture) => picture.file)];
      draw();
    },
    // A draft's; uploads that nothing shows go after a day.
    async restore(images) {
      const found = await findUploads(images.map((image) => image.uploadId));
      control.set(images.flatMap(({ uploadId }) => found.filter(({ id }) => id === uploadId)
        .map(({ url, thumbnailUrl, status }) => ({ uploadId, url, thumbnailUrl, status }))));
    },
    error: error.show,
    focus: () => input.focus(),
    pictures: ready,
    busy: () => pictures.some((picture) => picture.waiting || picture.running),
    failed: () => pictures.some((picture) => picture.failure),
  };
  return control;
}
