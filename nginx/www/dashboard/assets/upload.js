// Sends one file: announces it by its size and hash, then sends the bytes to the address that comes back.
import { failureOf, Failure, get, post, requestHeaders } from "./api.js";

export const pictureTypes = ["image/jpeg", "image/png", "image/webp"];
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

// What is wrong with a file before it is sent, or null.
export function fileFault(file, types = pictureTypes, what = "a JPEG, PNG or WebP picture") {
  if (!types.includes(file.type)) return `is not ${what}`;
  if (file.size === 0) return "is empty";
  if (file.size > maxBytes) return "is larger than 50 MB";
  return null;
}

const pause = (seconds, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
  });

// Returns the upload, READY. progress(0…1) tells how much has been sent. Throws a Failure. Waits when there were too many requests.
export async function uploadFile(file, organisationId, { progress, signal }) {
  const announced = { organisationId, filename: [...file.name].slice(-200).join("") || "file", contentType: file.type, size: file.size, sha256: await hashOf(file) };
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
