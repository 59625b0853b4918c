// Runs the tests one after the other, each in a browser context and with dealers of its own.
import { AsyncLocalStorage } from "node:async_hooks";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fail, isWanted, long, Tally } from "../support/cases.mjs";
import { limit } from "../support/waiting.mjs";
import { isFirefox, openBrowser, openVisit } from "./visit.mjs";
import { tests } from "./testing.mjs";

// Another suite's folder may use this, too.
const here = process.env.TRADEPOST_TESTS_IN ?? dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const longest = limit(300_000);
const tally = new Tally();

for (const file of readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort()) {
  const before = tests.length;
  await import(pathToFileURL(join(here, file)));
  for (const each of tests.slice(before)) each.file = file.replace(".test.mjs", "");
}
const chosen = tests.filter(({ name, file, notInFirefox, slow }) => !(isFirefox && notInFirefox) && (long || !slow) && isWanted(name) &&
  (wanted.length === 0 || wanted.some((word) => word === file || (word.includes(" ") && name.includes(word)))));

// A browser that hangs must not hang the suite.
const within = (promise) => {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`not done after ${longest / 1000} s`)), longest)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// Each is opened for the first test that takes it.
const browsers = new Map();
async function browserFor(push) {
  if (!browsers.has(push)) browsers.set(push, await openBrowser({ push }));
  return browsers.get(push);
}

// Promises that nobody waits for, such as those of handlers of requests, may be rejected. The test that began the work is the one that fails. A
// handler that Playwright calls belongs to no test by itself, so the test that runs is charged. It ends after a turn of the event loop, by which the
// rejections of its handlers have arrived.
const current = new AsyncLocalStorage();
let visit = null;
process.on("unhandledRejection", (error) => (current.getStore() ?? visit).rejections.push(String(error?.stack ?? error)));
const turn = () => new Promise((resolve) => setImmediate(resolve));

const describe = (error) => String(error?.stack ?? error).split("\n").slice(0, 12).join("\n");
const finished = [];  // the tests that passed: {name, visit}

try {
  for (const { name, body, push, alone } of chosen) {
    const own = alone ? await openBrowser() : null;
    const mine = (visit = await openVisit(own ?? (await browserFor(push && !isFirefox))));
    const began = Date.now();
    try {
      await current.run(mine, () => within(body(mine)));
      await turn();
      mine.check();
      if (process.env.TIMES) console.log(`${((Date.now() - began) / 1000).toFixed(1)} s  ${name}`);
      tally.passed++;
      finished.push({ name, visit: mine });
    } catch (error) {
      tally.failed++;
      fail(name, describe(error), ...mine.seen().map((each) => `seen in the browser: ${each}`));
    } finally {
      tally.took(name, Date.now() - began);
      await mine.close();
      await own?.close();
      await turn();
    }
  }
} finally {
  for (const each of browsers.values()) await each.close();
}
// The end of a test interrupts handlers that still wait for their page. All other late rejections are faults.
for (const { name, visit: { rejections } } of finished) {
  const late = rejections.filter((each) => !/has been closed|Target closed/.test(each));
  if (!late.length) continue;
  tally.passed--;
  tally.failed++;
  fail(name, "after the test had passed, a promise was rejected that nobody waited for", ...late.map(describe));
}
const notes = finished.flatMap(({ visit: { notes } }) => notes);
if (notes.length) console.log([`note: ${notes.length} lines of the browser's console that fail no test:`, ...new Set(notes)].slice(0, 20).join("\n  "));
process.exit(tally.finish());
