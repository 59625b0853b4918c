// A new record that begins as a copy of another one, which the address names: "new?copy=ID".
import { Failure } from "./api.js";
import { h, icon } from "./dom.js";

export const duplicateLink = (address) => h("a", { class: "btn btn-quiet btn-small", href: address }, icon("copy"), "Duplicate");

// begin() of a record page: {copied}, the other record.
export const copied = (read, belongs) => async () => {
  const { data } = await read();
  if (!belongs(data)) throw new Failure(404, "Not found");
  return { copied: data };
};

// What the fields begin with: what is copied without what is the other record's own, or what a new one begins with.
export const startOf = (begun, controls) => (begun?.copied
  ? Object.fromEntries(Object.keys(controls).filter((name) => !["reference", "images", "documents"].includes(name)).map((name) => [name, begun.copied[name]])) : begun);

// Above the form, so that nobody takes it for the other one; `pictures` is its control, where there is one.
export function copyNote(begun, pictures) {
  const record = begun?.copied;
  if (!record) return null;
  const images = (record.images ?? []).filter((image) => image.uploadId);
  const button = pictures && images.length > 0 && h("button", { type: "button", class: "btn btn-quiet", onclick: () => {
    const there = pictures.pictures();
    pictures.set([...there, ...images.filter(({ uploadId }) => !there.some((each) => each.uploadId === uploadId))]);
    button.remove();
    note.focus({ preventScroll: true });
  } }, icon("picture"), images.length === 1 ? "Take its picture, too" : `Take its ${images.length} pictures, too`);
  const note = h("div", { class: "notice", tabindex: "-1" }, h("p", {}, "A copy of ", h("strong", {}, `“${record.title}”`), ", not saved yet. The reference is not copied."), button);
  return note;
}
