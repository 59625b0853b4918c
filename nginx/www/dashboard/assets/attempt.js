// Work that a button starts.
import { Failure, told } from "./api.js";
import { warn } from "./messages.js";

// Resolves to what work() resolves to, or to null after a Failure, which the user is told.
export async function attempt(work) {
  try {
    return await work();
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    warn(told(failure));
    return null;
  }
}

// For the catch of a DELETE: what is gone already is as it should be. Returns true, or throws any other failure.
export function orGone(failure) {
  if (failure.status !== 404) throw failure;
  return true;
}

const lines = new Map();  // by what is changed: {works (those that wait, by part), wished (what is not answered yet, by part), over}

// Does one work after another for `what`, any key. Of those that wait for one part of it, only the last is done. Resolves when none is left.
export function inTurn(what, part, work, wish) {
  const line = lines.get(what) ?? { works: new Map(), wished: {}, over: null };
  line.works.delete(part);
  line.works.set(part, work);
  line.wished[part] = wish;
  if (lines.has(what)) return line.over;
  lines.set(what, line);
  return (line.over = (async () => {
    try {
      for (const [next, doNext] of line.works) {
        line.works.delete(next);
        await doNext();
        if (!line.works.has(next)) delete line.wished[next];
      }
    } finally {
      lines.delete(what);
    }
  })());
}

// The same for a control that saves at once: save() sends `change`, which has one part of `record`. Does nothing when that part has this value
// already, or gets it by a save that waits.
export function wish(what, record, change, save) {
  const [[part, value]] = Object.entries(change);
  const wished = { ...record, ...lines.get(what)?.wished };
  return wished[part] === value ? lines.get(what)?.over : inTurn(what, part, save, value);
}

// A function that does nothing while an earlier call of it is not finished: a second press is not a second request.
export function oneAtATime(work) {
  let busy = false;
  return async (...given) => {
    if (busy) return;
    busy = true;
    try {
      await work(...given);
    } finally {
      busy = false;
    }
  };
}
