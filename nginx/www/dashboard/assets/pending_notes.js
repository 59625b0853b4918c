// What the browser keeps of a change of many records until it is over, and the lock that keeps other tabs from another one.
import { momentOf } from "./format.js";
import { session } from "./session.js";

const nameOf = (organisation) => `tradepost.change.${organisation.id}`;

// Calls task(true) while no other tab holds the organisation's lock, else task(false).
export const lockOf = (organisation, task) => navigator.locks.request(nameOf(organisation), { ifAvailable: true }, (lock) => task(lock !== null));

// state: waiting, sending, failed, or null when it is over. `at`: how many are done, where that is known.
export function keep({ organisation, what, steps }, state, at = 0) {
  try {
    if (state === null) localStorage.removeItem(nameOf(organisation));
    else localStorage.setItem(nameOf(organisation), JSON.stringify({ what, steps, state, at, when: new Date().toISOString(), user: session.user?.id }));
  } catch {
    // A browser that keeps nothing cannot tell of it later.
  }
}

const textOf = ({ state, steps, at, when }) => {
  if (state === "waiting") return `${momentOf(when)}: nothing had been sent, and nothing was changed.`;
  if (!steps) return `${momentOf(when)}: it was on its way, whole or not at all. Look at the list to see which.`;
  return `${momentOf(when)}: at least ${at} of ${steps} were done, perhaps one more. The rest are unchanged.`;
};

// {organisation, what, text} of a change of this user that was not over, or null.
export function noteOf(organisation, user) {
  try {
    const note = JSON.parse(localStorage.getItem(nameOf(organisation)));
    return note && note.user === user?.id ? { organisation, what: note.what, text: textOf(note) } : null;
  } catch {
    return null;
  }
}
