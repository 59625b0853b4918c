// How long tests in JavaScript wait at most, and how they repeat a request while the service is busy. tests/support/waiting.py does it in Python.

import { randomUUID } from "node:crypto";

// The value of an environment variable that holds a number above 0.
function factorOf(name) {
  const value = Number(process.env[name] || 1);
  if (!(value > 0 && value < Infinity)) throw new Error(`${name} must be a number above 0`);
  return value;
}

// Chromium's pages are slower by this factor. Playwright's default timeout grows with it.
export const slowPages = factorOf("SLOW");

// An upper limit of waiting, in milliseconds, on a machine that is slower by TRADEPOST_TEST_SLOW.
const factor = factorOf("TRADEPOST_TEST_SLOW") * slowPages;
export const limit = (milliseconds) => milliseconds * factor;

// How many requests were repeated in this process. A suite fails at its end if there were more than `most`.
export const repeats = { count: 0, most: 20 };

// The headers of a request that may be sent again: a POST gets an Idempotency-Key, so that it writes once.
export const repeatable = (method, headers) => ({ ...(method === "POST" && { "Idempotency-Key": randomUUID() }), ...headers });

// Sends a request until the answer is no 503 with Retry-After, for 30 seconds at most. `send` returns a promise of {status, headers, …}, and sends the
// headers of repeatable(). Only for steps that prepare a test: a test about a 503 sends its request itself.
export async function untilServed(send) {
  for (const end = Date.now() + limit(30_000); ; repeats.count++) {
    const answer = await send();
    const pause = 1000 * Number(answer.headers["retry-after"] || NaN);
    if (answer.status !== 503 || !(Date.now() + pause < end)) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
