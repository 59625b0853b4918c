// What the runners in JavaScript print, and which tests they run. tests/support/cases.py does it in Python.
//
// A failed test is a line `FAIL NAME`; all further lines about it are indented. The last line is "N passed, N failed".
import { repeats } from "./waiting.mjs";

// Random numbers of tests begin with this seed, so that two runs test the same.
const seed = Number(process.env.TRADEPOST_TEST_SEED || 20261129);

// Whether slow tests run, too, and the others look at everything.
export const long = Boolean(process.env.TRADEPOST_TEST_LONG);

// TRADEPOST_TEST_ONLY holds the names of the tests to run, one a line. All run when it is empty.
const only = new Set((process.env.TRADEPOST_TEST_ONLY ?? "").split("\n").map((line) => line.trim()).filter(Boolean));
export const isWanted = (name) => only.size === 0 || only.has(name);

// Prints a failure.
export const fail = (name, ...messages) => console.log([`FAIL ${name}`, ...messages.join("\n").split("\n").map((line) => `  ${line}`)].join("\n"));

// A generator of numbers from 0 up to 1 (mulberry32), printed with its seed.
export function random(what) {
  console.log(`seed ${seed}: ${what}`);
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Counts tests and how long each took.
export class Tally {
  passed = 0;
  failed = 0;
  #seconds = [];

  took(name, milliseconds) {
    this.#seconds.push([milliseconds / 1000, name]);
  }

  // Prints the ten slowest tests, the repeated requests and the counts. Returns the exit status of the runner.
  finish() {
    if (repeats.count > 0) console.log(`note: ${repeats.count} requests were repeated after a 503`);
    if (repeats.count > repeats.most) {
      this.failed++;
      fail("few requests are repeated", `${repeats.count} requests were repeated after a 503, at most ${repeats.most} are allowed`);
    }
    if (this.passed + this.failed === 0) {
      this.failed = 1;
      console.log("no test has such a name");
    }
    for (const [seconds, name] of this.#seconds.sort((a, b) => b[0] - a[0]).slice(0, 10)) console.log(`slowest: ${seconds.toFixed(1)} s ${name}`);
    console.log(`${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0 ? 0 : 1;
  }
}
