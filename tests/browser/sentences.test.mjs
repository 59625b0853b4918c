// No error text of the service reaches people as it is.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "./testing.mjs";

const here = (path) => new URL(`../../${path}`, import.meta.url);
// An operator's own words are in the files of the configuration. What is said of hashes is for who imports them, and of feeds for programs.
const sources = ["api", "core", "fields", "files", "identity", "push", "resource", "resources", "webhooks", "writes"].map((folder) => here(`fcgi-app/${folder}/`))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).filter((name) => /\.(cpp|h)$/.test(name) && !/(^|\/)(config|passwords\.cpp|feed\/)/.test(name)).map((name) => readFileSync(new URL(name, folder), "utf8")));

// What is told of a field, and of a conflict. A text that ends with a space goes on with a value.
function texts() {
  const found = new Set();
  for (const source of sources) {
    const code = source.replace(/^\s*\/\/.*$/gm, "");
    for (const [, text] of code.matchAll(/(?:conflict\(|[\s(?:])"((?:must|is (?:required|wrong)) ?[^"…]*)"/g)) found.add(text);
    for (const [, text] of code.matchAll(/conflict\(\s*"([^"]+)"/g)) found.add(text);
  }
  return [...found].filter((text) => text !== "must be ");
}

const load = async () => import(`data:text/javascript,${encodeURIComponent(readFileSync(here("nginx/www/dashboard/assets/sentences.js"), "utf8"))}`);

test("each error text of the service has a sentence for people", async () => {
  const { forPeople } = await load();
  const all = texts();
  assert.ok(all.length > 70, `${all.length} texts were found`);
  assert.equal(all.filter((text) => !forPeople(text.endsWith(" ") ? `${text}1` : text)).join("\n"), "");
  const said = all.map((text) => forPeople(text.endsWith(" ") ? `${text}1` : text));
  assert.deepEqual(said.filter((text) => !/^[A-Z].*\.$/.test(text) || /undefined|null|NaN|[a-z][A-Z]/.test(text.replace("WebP", ""))), []);
});

test("values stand in the sentences", async () => {
  const { forPeople } = await load();
  for (const [why, sentence] of [
    ["Ashford Motors requires a second factor of its ADMINs", "Administrators of Ashford Motors must use two steps."],
    ["must be 12 to 256 characters long", "Use 12 to 256 characters."],
    ["must be at most 20000 characters long", "Use at most 20,000 characters."],
    ["must be an integer from 1000 to 9999", "Type a whole number from 1000 to 9999."],
    ["must be an integer from 0 to 1000000000000", "Type a whole number from 0 to 1,000,000,000,000."],
    ["must not be below “Salary from”", "This is less than “Salary from”."],
    ["must hold at most 40 images", "There may be 40 of these."],
    ["limit of 200000 stock items reached", "The limit of 200,000 stock items is reached. Remove some first, or ask whoever runs this service for a higher limit."],
    ["reference is used by another job", "Another job of yours has this reference."],
    ["what nobody has written", null],
  ]) assert.equal(forPeople(why), sentence);
});
