// Runs the tests one after the other, each in a browser context and with dealers of its own.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isFirefox, openBrowser, openVisit } from "./visit.mjs";
import { tests } from "./testing.mjs";

// Another suite's folder may use this, too.
const here = process.env.TRADEPOST_TESTS_IN ?? dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const limit = 300_000;
let passed = 0, failed = 0;

for (const file of readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort()) {
  const before = tests.length;
  await import(pathToFileURL(join(here, file)));
  for (const each of tests.slice(before)) each.file = file.replace(".test.mjs", "");
}
const chosen = tests.filter(({ name, file, notInFirefox }) => !(isFirefox && notInFirefox) && (wanted.length === 0 || wanted.some((word) => word === file || (word.includes(" ") && name.includes(word)))));

// A browser that hangs must not hang the suite.
const within = (promise) => {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`not done after ${limit / 1000} s`)), limit)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// Each is opened for the first test that takes it.
const browsers = new Map();
async function browserFor(push) {
  if (!browsers.has(push)) browsers.set(push, await openBrowser({ push }));
  return browsers.get(push);
}

// A handler of a request may fail when nobody waits for it.
let visit = null;
process.on("unhandledRejection", (error) => visit.complaints.push(String(error.stack ?? error)));

try {
  for (const { name, body, push, alone } of chosen) {
    const own = alone ? await openBrowser() : null;
    visit = await openVisit(own ?? (await browserFor(push && !isFirefox)));
    const began = Date.now();
    try {
      await within(body(visit));
      visit.check();
      if (process.env.TIMES) console.log(`${((Date.now() - began) / 1000).toFixed(1)} s  ${name}`);
      passed++;
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}\n  ${String(error.stack ?? error).split("\n").slice(0, 12).join("\n  ")}`);
      if (visit.complaints.length) console.log(`  seen in the browser: ${visit.complaints.join("\n  ")}`);
    } finally {
      await visit.close();
      await own?.close();
    }
  }
} finally {
  for (const each of browsers.values()) await each.close();
}
if (passed + failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
