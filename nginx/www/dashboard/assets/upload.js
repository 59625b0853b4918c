// Sends one file: announces it by its size and hash, then sends the bytes to the address that comes back.
import { failureOf, Failure, get, post, requestHeaders } from "./api.js";

// What a control takes: `begins` has the types of the service, each with how its files begin; `accept` is for the file dialog.
export const pictures = {
  what: "a JPEG, PNG or WebP picture",
  accept: "image/jpeg,image/png,image/webp,.jfif",
  begins: { "image/jpeg": /^\xff\xd8\xff/, "image/png": /^\x89PNG\r\n\x1a\n/, "image/webp": /^RIFF[^]{4}WEBP/ },
};
export const pdfs = { what: "a PDF", accept: "application/pdf,.pdf", begins: { "application/pdf": /%PDF-/ } };

const maxBytes = 50 * 1024 * 1024;

async function hashOf(file) {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Failure(400, "The file cannot be read. Choose it again.");  // it was changed or moved since, or its drive is gone
  });
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// fetch() cannot tell how far a body is.
function send(address, file, progress, signal) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("PUT", address);
    const headers = requestHeaders("PUT");
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.setRequestHeader("Content-Type", "application/octet-stream");
    sending.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
    sending.addEventListener("load", () => {
      if (sending.status !== 200) return reject(failureOf(sending.status, sending.responseText, (name) => sending.getResponseHeader(name)));
      try {
        resolve(JSON.parse(sending.responseText).data);
      } catch {
        reject(new Failure(200, "The answer of the server cannot be read."));
      }
    });
    for (const event of ["error", "timeout"]) sending.addEventListener(event, () => reject(new Failure(0, "No connection to the server.")));
    sending.addEventListener("abort", () => reject(new Failure(0, "Stopped.")));
    signal.addEventListener("abort", () => sending.abort());
    sending.send(file);
  });
}

// The uploads with these ids that are still there.
export async function findUploads(ids) {
  const found = await Promise.all(ids.map((id) => get(`/api/v1/uploads/${encodeURIComponent(id)}`).then(({ data }) => data, (failure) => (failure.status === 404 ? null : { id }))));
  return found.filter(Boolean);
}

// The type by the bytes, as the service tells it: browsers take it from the name, by the settings of the system. Undefined for what `taken` has not.
async function typeOf(file, taken) {
  const bytes = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  return Object.keys(taken.begins).find((type) => taken.begins[type].test(text));
}

// What is wrong with a file before it is sent, or null. A file that cannot be read is sent, which tells that.
export async function fileFault(file, taken) {
  if (file.size === 0) return "is empty";
  if (file.size > maxBytes) return "is larger than 50 MB";
  const isTaken = await typeOf(file, taken).then(Boolean, () => true);
  return isTaken ? null : `is not ${taken.what}`;
}

const pause = (seconds, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
  });

// Returns the upload, READY. progress(0…1) tells how much has been sent. Throws a Failure. Waits when there were too many requests.
export async function uploadFile(file, organisationId, taken, { progress, signal }) {
  const sha256 = await hashOf(file);
  const announced = { organisationId, filename: [...file.name].slice(-200).join("") || "file", contentType: await typeOf(file, taken), size: file.size, sha256 };
  const key = crypto.randomUUID();
  for (;;) {
    try {
      const { data } = await post("/api/v1/uploads", announced, { key, signal });
      return await send(data.uploadUrl, file, progress, signal);
    } catch (failure) {
      if (!(failure instanceof Failure) || failure.status !== 429 || signal.aborted) throw failure;
      await pause(failure.wait ?? 60, signal);
    }
  }
}
