// When something is published: what events and posts have in common. Without that moment it is a draft.
import { getOwn } from "./api.js";
import { serviceNow } from "./clock.js";
import { h } from "./dom.js";
import { editor } from "./editor.js";
import { momentOf, publicationBadge, publicationOf, timeNode } from "./format.js";
import { recordPage, soon } from "./record.js";
import { recordHistory } from "./record_history.js";
import { addressOf } from "./shell.js";
import { momentField } from "./time_fields.js";

export const publicationField = () => momentField({ name: "publishedAt", label: "Publish on",
  hint: "Leave empty for a draft. A later time publishes it then." });

const isPublic = (record) => record !== null && publicationOf(record) === "PUBLISHED";

// `needs` as that of an editor's button; `what` is "event" or "post".
function publicationButtons(needs, what) {
  const done = (record) => ({
    DRAFT: "Saved as a draft: nobody else sees it.",
    SCHEDULED: `Saved: readers see it from ${momentOf(record.publishedAt)} on.`,
    PUBLISHED: "Saved: readers see it now.",
  })[publicationOf(record)];
  const now = () => ({ publishedAt: serviceNow().toISOString() });
  // A later time that was typed is kept.
  const publish = { label: "Publish", needs, done: (record) => (isPublic(record) ? "Published: readers see it now." : done(record)),
    change: (record, value) => (isPublic(record) || new Date(value("publishedAt")) > serviceNow() ? {} : now()) };
  const publishNow = { label: "Publish now", needs, change: (record) => (isPublic(record) ? {} : now()), done: "Published: readers see it now." };
  const withdraw = { label: "Back to draft", change: { publishedAt: null }, done: "It is a draft again: readers no longer see it.",
    ask: { title: `Withdraw this ${what}?`, text: "Readers no longer see it. It can be published again." } };
  const save = { label: "Save", kind: "main", done };
  return (record) => {
    if (!record) return [{ ...save, label: "Save as draft" }, publish];
    return [save, ...{ DRAFT: [publish], SCHEDULED: [publishNow, withdraw], PUBLISHED: [withdraw] }[publicationOf(record)]];
  };
}

// Below a record's heading.
export function aboutPublication(record) {
  const state = publicationOf(record);
  return [publicationBadge(record, momentOf), state !== "SCHEDULED" && h("span", { class: "muted" }, state === "DRAFT"
    ? ["Changed ", timeNode(record.updatedAt, momentOf(record.updatedAt))] : timeNode(record.publishedAt, momentOf(record.publishedAt)))];
}

// The page of one of them. `given`: name ("event" or "post"), about(record), needs(value), makers (as soon() takes them), content(controls, history), keep as an
// editor has it, and start() and defaults(), which make what an editor has by these names.
export function publishedPage({ organisation, params }, given) {
  const part = `${given.name}s`;
  const path = `/api/v1/${part}`;
  const buttons = publicationButtons(given.needs, given.name);
  const made = soon(given.makers);
  return recordPage({
    params,
    back: { address: addressOf(organisation.slug, part), text: part[0].toUpperCase() + part.slice(1) },
    newTitle: `New ${given.name}`,
    titleOf: (record) => record.title,
    about: given.about,
    load: () => getOwn(`${path}/${encodeURIComponent(params.id)}`),
    belongs: (record) => record.organisation?.id === organisation.id,
    async edit(record, etag, saved, gone) {
      const controls = await made;
      const history = recordHistory(Object.values(controls));
      const showHistory = ({ id }) => history.show({ [`${given.name}Id`]: id });
      if (record) showHistory(record);
      return editor({
        controls: Object.values(controls),
        content: given.content(controls, history.node),
        record,
        etag,
        buttons,
        saved(kept, created) {
          saved(kept, created);
          showHistory(kept);
        },
        start: record ? null : given.start?.(),
        defaults: () => ({ organisationId: organisation.id, ...given.defaults?.() }),
        collection: path,
        address: ({ id }) => `${path}/${id}`,
        keep: given.keep,
        called: ({ title }) => `“${title}”`,
        deleted: organisation.role === "ADMIN" ? gone : null,
      });
    },
    addressOf: ({ id }) => addressOf(organisation.slug, part, id),
  });
}

// Those of a list.
export const publicationStates = { state: "published", states: [["false", "Draft"], ["true", "Published"]] };
