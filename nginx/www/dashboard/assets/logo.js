// An organisation's logo: one picture, shown, replaced, taken away.
import { Failure, told } from "./api.js";
import { h, icon, newId, replace } from "./dom.js";
import { errorNote } from "./fields.js";
import { fileFault, findUploads, pictureTypes, uploadFile } from "./upload.js";

// A control for makeForm: its value is the service's logoUploadId. know(account) tells it what that of an account looks like.
export function logoControl({ organisationId }) {
  let id = null, shown = null, running = null;
  const known = new Map();
  const inputId = newId("logo");
  const input = h("input", { type: "file", id: inputId, class: "visually-hidden file-input", accept: pictureTypes.join(",") });
  const frame = h("div", { class: "logo-frame" });
  const heard = h("p", { role: "status", class: "muted" });
  const error = errorNote();
  const bar = h("progress", { max: 1, "aria-label": "Logo on its way", hidden: true });
  const take = h("button", { type: "button", class: "btn btn-quiet", onclick: () => {
    running?.abort();
    [id, shown] = [null, null];
    draw();
    input.focus();
  } }, "Remove");

  function draw() {
    replace(frame, shown ? h("img", { src: shown, alt: "The logo" }) : icon("picture"));
    take.hidden = !shown;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async function send(file) {
    control.error(null);
    const fault = fileFault(file);
    if (fault) return control.error(`“${file.name}” ${fault}`);
    running?.abort();
    const stop = (running = new AbortController());
    bar.hidden = false;
    bar.removeAttribute("value");
    try {
      const upload = await uploadFile(file, organisationId, { signal: stop.signal, progress: (share) => (bar.value = share) });
      if (stop !== running) return;
      known.set(upload.id, upload.url);
      [id, shown] = [upload.id, upload.url];
      heard.textContent = "Uploaded. Save to use it.";
    } catch (failure) {
      if (stop !== running || stop.signal.aborted) return;
      if (!(failure instanceof Failure)) throw failure;
      control.error(told(failure));
    } finally {
      if (stop === running) {
        running = null;
        bar.hidden = true;
        draw();
      }
    }
  }
  input.addEventListener("change", () => {
    if (input.files[0]) send(input.files[0]);
    input.value = "";
  });

  const node = h("div", { class: "logo" }, frame, h("div", {},
    h("div", { class: "logo-tools" }, input, h("label", { htmlFor: inputId, class: "btn btn-quiet" }, "Choose a logo"), take),
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
    error: error.show,
    focus: () => input.focus(),
    busy: () => running !== null,
  };
  return control;
}
