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
