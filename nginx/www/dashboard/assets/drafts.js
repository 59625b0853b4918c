// What was typed into the form of a record and is not saved yet, kept in this browser in case the page is lost: for this user and this
// record of this organisation, which the page's address names.
import { session } from "./session.js";

const days = 7;
const prefix = "draft ";
const ended = "drafts ended";  // when somebody signed out last

// Storage may be full, or switched off.
function quietly(task) {
  try {
    return task();
  } catch {
    return null;
  }
}

const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
const parse = (text) => quietly(() => JSON.parse(text));
const isOld = (draft) => !draft || !(Date.now() - draft.at < days * 24 * 3600_000);

function removeOld() {
  for (const key of keys()) if (isOld(parse(localStorage.getItem(key)))) localStorage.removeItem(key);
}

// When somebody signs out. Forms that are open in other tabs keep nothing until somebody signs in there.
export const clearDrafts = () => quietly(() => {
  for (const key of keys()) localStorage.removeItem(key);
  localStorage.setItem(ended, String(Date.now()));
});

// The place of the record that is shown now. Each new copy of a record (duplicate.js) has a place of its own.
export function draftPlace() {
  const copy = new URLSearchParams(location.search).get("copy");
  const key = `${prefix}${session.user?.id} ${location.pathname}${copy ? `?copy=${copy}` : ""}`;
  quietly(removeOld);
  return {
    // {at, of (the record's updatedAt), fields: {name: {was, value} or {was, text}}}, or null.
    read: () => quietly(() => parse(localStorage.getItem(key))),
    write: (draft) => quietly(() => Number(localStorage.getItem(ended)) < session.since && localStorage.setItem(key, JSON.stringify({ ...draft, at: Date.now() }))),
    remove: () => quietly(() => localStorage.removeItem(key)),
  };
}
