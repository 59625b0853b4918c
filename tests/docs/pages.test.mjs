// The pages: links, search, without scripts, for everybody, and the same bytes each time.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { base, call, test } from "../browser/testing.mjs";
import { axeSource, eventually } from "../browser/visit.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const made = join(process.env.BUILD, "www/docs");
const matches = (text, expression) => [...text.matchAll(expression)].map((found) => found[1]);
const htmlFiles = async () => (await readdir(made, { recursive: true })).filter((name) => name.endsWith(".html"));
const addressOf = (name) => `/docs/${name.replace(/(index)?\.html$/, "")}`;
const ids = (html) => matches(html, / id="([^"]*)"/g);

test("every link leads to a page, and every anchor to its place", async () => {
  const pages = new Map(), waiting = ["/docs/", "/docs/operators/"], faults = [];
  const read = async (path) => {
    if (!pages.has(path)) pages.set(path, await call("GET", path));
    return pages.get(path);
  };
  for (let from; (from = waiting.shift()); ) {
    const page = await read(from);
    for (const href of new Set(matches(page.text, / (?:href|src)="([^"]*)"/g))) {
      const to = new URL(href.replaceAll("&amp;", "&"), base + from);
      if (to.origin !== base) {
        faults.push(`${from}: ${href} is elsewhere`);
        continue;
      }
      const known = pages.has(to.pathname);
      const target = await read(to.pathname);
      if (target.status !== 200) faults.push(`${from}: ${href} is ${target.status}`);
      else if (/\.png$/.test(to.pathname) && target.headers["content-type"] !== "image/png") faults.push(`${from}: ${href} is ${target.headers["content-type"]}`);
      else if (to.hash && !ids(target.text).includes(decodeURIComponent(to.hash.slice(1)))) faults.push(`${from}: ${href} has no such place`);
      if (!known && to.pathname.startsWith("/docs/") && target.headers["content-type"].startsWith("text/html")) waiting.push(to.pathname);
    }
  }
  assert.deepEqual(faults, []);
  // The host's own page, at /.
  for (const name of (await htmlFiles()).filter((each) => !["assets/closed.html", "assets/home.html"].includes(each))) assert.ok(pages.has(addressOf(name)), `no link leads to ${name}`);
  for (const [title, , address] of (await call("GET", "/docs/search.json")).text ? JSON.parse((await call("GET", "/docs/search.json")).text) : []) {
    const to = new URL(address, `${base}/docs/`);
    assert.ok(!to.hash || ids((await read(to.pathname)).text).includes(to.hash.slice(1)), `the search entry ${title} leads nowhere`);
  }
});

test("pages hold no script or style of their own, name each id once, and have a description for search engines", async () => {
  for (const name of await htmlFiles()) {
    const text = await readFile(join(made, name), "utf8");
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style| style=| on[a-z]+="/, name);
    if (!/^(operators|assets)\//.test(name)) assert.match(text, /<meta name="description" content="[^"]+ – Tradepost API\. [^"]+\."/, name);
    const all = ids(text);
    assert.deepEqual(all.filter((each, i) => all.indexOf(each) !== i), [], name);
  }
});

test("the operators' manuals have their titles, name each other, and are not linked from the reference", async () => {
  const titles = { index: "Operators' manual", cluster: "Several hosts", monitoring: "Monitoring", dealers: "Tutorial for dealers' software", security: "Security", changelog: "Changelog" };
  for (const [name, title] of Object.entries(titles)) {
    const text = await readFile(join(made, `operators/${name}.html`), "utf8");
    assert.deepEqual(matches(text, /<h1[^>]*>([^]*?)<\/h1>/g), [title], name);
    assert.match(text, /<title>[^<]+ – Tradepost<\/title>/, name);
    for (const other of Object.keys(titles)) assert.ok(text.includes(`<a href="${other === "index" ? "./" : other}"`), `${name} has no link to ${other}`);
  }
  for (const name of (await htmlFiles()).filter((each) => !each.startsWith("operators/"))) assert.doesNotMatch(await readFile(join(made, name), "utf8"), /href="[^"]*operators/, name);
});

test("the changelog of the API is what the changelog says to programs", async () => {
  const versions = (await readFile(join(root, "CHANGELOG.md"), "utf8")).split(/^## /m).filter((each) => each.includes("### For programs (API)\n"));
  assert.ok(versions.length);
  const shown = await readFile(join(made, "changelog.html"), "utf8");
  assert.deepEqual(matches(shown, /<h2[^>]*>([^<]*)<\/h2>/g), versions.map((each) => each.split("\n")[0]));
  const entries = versions.flatMap((each) => each.split("### For programs (API)\n")[1].split(/^### /m)[0].split("\n").filter((line) => line.startsWith("- ")));
  assert.equal(matches(/<main[^]*<\/main>/.exec(shown)[0], /<(li)>/g).length, entries.length);
});

test("every operation shows what it answers, and errors as they are written", async () => {
  const description = JSON.parse(await readFile(join(made, "openapi.json"), "utf8"));
  const resolve = (node) => (node?.$ref ? node.$ref.slice(2).split("/").reduce((at, part) => at[part.replaceAll("~1", "/")], description) : node);
  const texts = await Promise.all((await readdir(made)).filter((each) => each.endsWith(".html")).map((name) => readFile(join(made, name), "utf8")));
  const faults = [];
  for (const operation of Object.values(description.paths).flatMap((item) => ["get", "post", "put", "patch", "delete"].flatMap((method) => item[method] ?? []))) {
    const section = new RegExp(`aria-labelledby="${operation.operationId}">([^]*?)</section>`).exec(texts.find((text) => text.includes(`<h2 id="${operation.operationId}">`)))[1];
    const [status, good] = Object.entries(operation.responses).find(([each]) => each.startsWith("2"));
    if (resolve(good).content?.["application/json"] && !section.includes(`<h3>Answer ${status}</h3>`)) faults.push(`${operation.operationId} shows no answer`);
    for (const error of matches(section, /<li><code>([^<]*)<\/code><\/li>/g)) if (/\[\^|\.[*+]|\$$|\|/.test(error)) faults.push(`${operation.operationId}: ${error}`);
  }
  assert.deepEqual(faults, []);
});

test("the same description gives the same bytes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tradepost-docs-"));
  execFileSync("/usr/bin/python3", [join(root, "nginx/docs/make"), join(root, "nginx/www/openapi.yaml"), join(folder, "docs")], { env: { ...process.env, PYTHONHASHSEED: "7" } });
  execFileSync("diff", ["-r", made, join(folder, "docs")]);
  await rm(folder, { recursive: true });
});

test("openapi.json says what openapi.yaml says", async () => {
  const python = "import json, sys, yaml; print(yaml.safe_load(open(sys.argv[1])) == json.load(open(sys.argv[2])))";
  assert.equal(execFileSync("/usr/bin/python3", ["-c", python, join(made, "openapi.yaml"), join(made, "openapi.json")], { encoding: "utf8" }), "True\n");
  for (const name of ["openapi.json", "openapi.yaml"]) {
    const file = await readFile(join(made, name), "utf8");
    assert.ok(file.includes("https://marketplace.example"));
    assert.equal((await call("GET", `/api/v1/${name}`)).text, file.replaceAll("https://marketplace.example", base));
  }
});

test("the description has what generators need", async () => {
  const description = JSON.parse(await readFile(join(made, "openapi.json"), "utf8"));
  const faults = [];
  const visit = (node, place, inExample) => {
    if (typeof node !== "object" || node === null) return;
    if (typeof node.$ref === "string" && node.$ref.split("/").length !== 4) faults.push(`${place}: ${node.$ref}`);
    if (!inExample && ("allOf" in node || "4XX" in node || "unevaluatedProperties" in node)) faults.push(place);
    if (node.in === "path" && !("example" in node)) faults.push(`${place} has no example`);
    for (const [name, each] of Object.entries(node)) visit(each, `${place}/${name}`, inExample || name.startsWith("example"));
  };
  visit(description, "", false);
  const open = new Set(Object.entries(description.paths).flatMap(([path, item]) => (path.startsWith("/dashboard") ? faults.push(path) : Object.values(item))).filter((each) => each.responses)
    .flatMap((operation) => Object.values(operation.responses)).map((each) => (each.$ref ? description.components.responses[each.$ref.split("/").pop()] : each)));
  const answers = new Set();
  const reach = (node) => {
    if (typeof node !== "object" || node === null || answers.has(node)) return;
    answers.add(node);
    if (node.additionalProperties === false) faults.push(`an answer is closed: ${JSON.stringify(node).slice(0, 80)}`);
    if (node.$ref?.startsWith("#/components/schemas/")) reach(description.components.schemas[node.$ref.split("/").pop()]);
    Object.values(node).forEach(reach);
  };
  for (const each of open) reach(each.content);
  assert.deepEqual(faults, []);
  assert.equal(description.components.schemas.StockItemNew.additionalProperties, false);
  assert.deepEqual(description.paths["/api/v1/stock/feed"].put.requestBody.content["application/x-ndjson"].schema.format, "binary");
  assert.match(description.info.version, /^\d+\.\d+\.\d+\+[0-9a-f]{8}$/);
});

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// Runs in the page. The results of rules that pass are large, and are not handed over.
async function violations(values) {
  const found = await window.axe.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] });
  return found.violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

for (const [name, address] of [["start", "/docs/"], ["uploads", "/docs/uploads"]])
  test(`the page ${name} passes axe in light and dark, wide and narrow, and never scrolls sideways`, async ({ page }) => {
    const faults = [];
    for (const [theme, width] of [["light", 1600], ["dark", 360]]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(base + address);
      await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
      await page.evaluate(axeSource);
      for (const fault of await page.evaluate(violations, rules)) faults.push(`${theme}, ${width}: ${fault}`);
    }
    assert.deepEqual(faults, []);
  });

test("no page is wider than the screen", async ({ page }) => {
  const faults = [];
  for (const name of await htmlFiles()) {
    await page.goto(base + addressOf(name));
    for (const width of [360, 768, 1000, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      const [has, is] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      if (has > is) faults.push(`${name} at ${width}: ${has}`);
    }
  }
  assert.deepEqual(faults, []);
});

test("the search finds operations, fields and texts of errors, by keys too", async ({ page }) => {
  await page.goto(`${base}/docs/`);
  const input = page.getByRole("searchbox", { name: "Search the reference" });
  await page.keyboard.press("/");
  assert.ok(await input.evaluate((node) => node === document.activeElement));
  const results = page.locator("#page-results-list a");
  await page.keyboard.type("create stock item");
  await eventually("the operation", async () => (await results.first().textContent())?.startsWith("Create a stock item"));
  await input.fill("upload quota reached");
  await eventually("the text of an error", async () => (await results.allTextContents()).some((each) => each.includes("/api/v1/uploads")));
  await input.fill("zzzyyyxxx");
  await page.getByText("Nothing found").waitFor();
  await input.fill("hasImages");
  await eventually("a parameter", async () => (await results.first().textContent())?.includes("/api/v1/stock"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}/docs/stock#*`);
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("x");
  await page.keyboard.press("Escape");
  await page.locator("#page-results").waitFor({ state: "hidden" });
});

test("the language that was chosen is that of all examples, on every page", async ({ page }) => {
  await page.goto(`${base}/docs/stock`);
  const open = () => page.$$eval("details[data-language][open]", (all) => [...new Set(all.map((each) => each.dataset.language))]);
  assert.deepEqual(await open(), ["curl"]);
  await page.locator("details[data-language=php] summary").first().click();
  assert.deepEqual(await open(), ["php"]);
  await page.goto(`${base}/docs/jobs`);
  await eventually("PHP on the next page", async () => (await open()).join() === "php");
  await page.goto(`${base}/docs/`);
  assert.match(await page.locator("main pre").first().textContent(), new RegExp(`BASE=${base}`));
});

test("without scripts the pages can be read, in the system's colours, and offer nothing that needs one", async ({ open }) => {
  const page = await open({ javaScriptEnabled: false, colorScheme: "dark" });
  await page.goto(`${base}/docs/stock`);
  await page.getByRole("navigation", { name: "Reference" }).getByRole("link", { name: "Jobs" }).waitFor();
  assert.equal(await page.locator("#page-search").isVisible(), false);
  assert.equal(await page.locator("#page-theme").isVisible(), false);
  const example = page.locator("details[data-language=javascript]").first();
  assert.equal(await example.locator("pre").isVisible(), false);
  await example.locator("summary").click();
  assert.match(await example.locator("pre").textContent(), /await fetch\(/);
  assert.ok(await example.locator("pre").isVisible());
  // The colours are the dashboard's dark ones.
  const dark = /\[data-theme="dark"\] \{[^}]*--paper: (#[0-9a-f]{6})/.exec(await readFile(join(root, "nginx/www/dashboard/assets/css/theme.css"), "utf8"))[1];
  const [red, green, blue] = dark.match(/[0-9a-f]{2}/g).map((each) => Number.parseInt(each, 16));
  assert.equal(await page.locator("body").evaluate((node) => getComputedStyle(node).backgroundColor), `rgb(${red}, ${green}, ${blue})`);
});
