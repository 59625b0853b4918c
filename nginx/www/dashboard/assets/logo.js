// An organisation's logo: one picture, shown, replaced, taken away.
import { Failure, told } from "./api.js";
import { h, icon, newId, replace } from "./dom.js";
import { errorNote } from "./fields.js";
import { fileFault, findUploads, pictures, uploadFile } from "./upload.js";

// A control for makeForm: its value is the service's logoUploadId. know(account) tells it what that of an account looks like.
export function logoControl({ organisationId }) {
  let id = null, shown = null, running = null;
  let unsent = null;  // {file, why, again} of a picture that could not be sent
  const known = new Map();
  const inputId = newId("logo");
  const input = h("input", { type: "file", id: inputId, class: "visually-hidden file-input", accept: pictures.accept });
  const frame = h("div", { class: "logo-frame" });
  const heard = h("p", { role: "status", class: "muted" });
  const error = errorNote();
  const bar = h("progress", { max: 1, "aria-label": "Logo on its way", hidden: true });
  const repeat = h("button", { type: "button", class: "btn btn-quiet", onclick: () => {
    input.focus();
    send(unsent.file);
  } }, "Try again");
  // Removes the picture that is on its way or could not be sent. If there is none, it removes the logo.
  const take = h("button", { type: "button", class: "btn btn-quiet", onclick: () => {
    if (!running && !unsent) [id, shown] = [null, null];
    running?.abort();
    running = unsent = null;
    control.error(null);
    draw();
    input.focus();
  } }, "Remove");

  function draw() {
    replace(frame, shown ? h("img", { src: shown, alt: "The logo" }) : icon("picture"));
    bar.hidden = !running;
    repeat.hidden = !unsent?.again;
    take.hidden = !shown && !running && !unsent;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async function send(file) {
    const fault = await fileFault(file, pictures);
    if (fault) return control.error(`“${file.name}” ${fault}`);
    running?.abort();
    unsent = null;
    control.error(null);
    const stop = (running = new AbortController());
    bar.removeAttribute("value");
    draw();
    try {
      const upload = await uploadFile(file, organisationId, pictures, { signal: stop.signal, progress: (share) => (bar.value = share) });
      if (stop !== running) return;
      known.set(upload.id, upload.url);
      [id, shown] = [upload.id, upload.url];
      heard.textContent = "Uploaded. Save to use it.";
    } catch (failure) {
      if (stop !== running) return;
      if (!(failure instanceof Failure)) throw failure;
      unsent = { file, why: told(failure), again: failure.status !== 400 };
      control.error(null);
    } finally {
      if (stop === running) {
        running = null;
        draw();
      }
    }
  }
  input.addEventListener("change", () => {
    if (input.files[0]) send(input.files[0]);
    input.value = "";
  });

  const node = h("div", { class: "logo" }, frame, h("div", {},
    h("div", { class: "logo-tools" }, input, h("label", { htmlFor: inputId, class: "btn btn-quiet" }, "Choose a logo"), repeat, take),
    h("p", { class: "form-text" }, "JPEG, PNG or WebP."), bar, heard, error.node));
  const control = {
    name: "logoUploadId",
    label: "Logo",
    node,
    know: (account) => known.set(account.logoUploadId, account.logoUrl),
    get: () => id,
    shown: (value) => (value ? "a picture" : "none"),
    set(value) {
      [id, shown] = [value, known.get(value) ?? null];
      heard.textContent = "";
      draw();
    },
    // A draft's; uploads that nothing shows go after a day.
    async restore(value) {
      const found = value ? await findUploads([value]) : [];
      found.forEach((upload) => known.set(upload.id, upload.url));
      if (!value || found.length > 0) control.set(value);
    },
    // A picture that could not be sent has its message until it was sent or removed.
    error: (why) => error.show(why ?? unsent?.why),
    focus: () => input.focus(),
    busy: () => running !== null,
    failed: () => unsent !== null,
  };
  return control;
}
