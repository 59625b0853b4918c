// What the pages do for a reader: find, copy, try, and stay where they are.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, base, call, test } from "../browser/testing.mjs";
import { axeSource, eventually } from "../browser/visit.mjs";
import { makeDealers } from "./dealers.mjs";

const made = join(process.env.BUILD, "www/docs");

test("the search finds what integrators look for", async ({ page }) => {
  await page.goto(`${base}/docs/`);
  const results = page.locator("#page-results-list a");
  for (const [words, address] of [["CORS", "/docs/#cors"], ["HMAC", "/docs/webhooks"], ["Retry-After", "/docs/#retries"], ["python", "/docs/#downloads"], ["insufficient_scope", "/docs/#scopes"],
    ["Content-Encoding", "/docs/#requests-with-a-body"], ["CDN", "/docs/guide#for-web-sites-caching-and-copies"], ["quota", "/docs/uploads"]]) {
    await page.getByRole("searchbox").fill(words);
    await eventually(words, async () => (await results.evaluateAll((all) => all.map((each) => each.href))).includes(base + address));
  }
});

test("nothing moves on a telephone while scripts start", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  // Pages are painted before.
  await page.route("**/assets/docs.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.addInitScript(() => {
    window.moved = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((each) => (window.moved += each.value))).observe({ type: "layout-shift", buffered: true });
  });
  for (const name of ["", "guide", "stock", "schemas"]) {
    await page.goto(`${base}/docs/${name}`);
    await page.locator("#page-search:not(.needs-scripts)").waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))));
    const moved = await page.evaluate(() => window.moved);
    assert.ok(moved < 0.01, `${name}: ${moved}`);
  }
});

test("a listing is copied", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${base}/docs/stock`);
  const listing = page.locator("section[aria-labelledby=createStockItem] .listing").first();
  await listing.getByRole("button", { name: "Copy curl" }).click();
  await page.locator("#page-copied", { hasText: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await listing.locator("code").textContent());
});

test("an example is tried from the page, with a token that stays there", async ({ page }) => {
  const { dealers: [dealer] } = await makeDealers(1);
  const { token } = await ask("POST", "/api/v1/auth", { body: { email: dealer.email, password: dealer.password } });
  await page.goto(`${base}/docs/stock`);
  const open = async (id) => {
    const place = page.locator(`details.try[data-operation=${id}]`);
    await place.locator("summary").click();
    return place;
  };
  const create = await open("createStockItem");
  await create.getByRole("button", { name: "Send POST" }).click();
  await create.locator("pre", { hasText: "401" }).waitFor();
  await create.getByLabel("Token, which stays in this page").fill(token);
  await create.getByRole("button", { name: "Send POST" }).click();
  await create.locator("pre", { hasText: '"reference": "VAN-0043"' }).waitFor();
  assert.match(await create.locator("pre").textContent(), /^201 [^]*\nx-request-id: /);
  assert.equal((await ask("GET", "/api/v1/stock", { token })).total, 1);
  // Another form of the page knows the token; a page that is opened again does not, and nothing keeps it.
  const list = await open("listStock");
  await list.getByRole("button", { name: "Send GET" }).click();
  await list.locator("pre", { hasText: '"total": 1' }).waitFor();
  await page.evaluate(axeSource);
  assert.deepEqual(await page.evaluate(async () => (await window.axe.run(".try")).violations.map((each) => each.id)), []);
  assert.equal(await page.evaluate((secret) => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie }).includes(secret), token), false);
  await page.reload();
  const again = await open("listStock");
  assert.equal(await again.getByLabel("Token, which stays in this page").inputValue(), "");
});

test("the reference is one Markdown file, too, and llms.txt leads to all that there is", async () => {
  const text = await readFile(join(made, "tradepost.md"), "utf8");
  const description = JSON.parse(await readFile(join(made, "openapi.json"), "utf8"));
  for (const [path, item] of Object.entries(description.paths))
    for (const method of Object.keys(item)) if (method !== "parameters") assert.ok(text.includes(`\n\`${method.toUpperCase()} ${path}\` (`), `${method} ${path}`);
  for (const name of Object.keys(description.components.schemas)) assert.ok(text.includes(`\n## ${name}\n`), name);
  // With the address of this service.
  for (const name of ["tradepost.md", "postman.json", "examples.json"]) assert.doesNotMatch((await call("GET", `/docs/${name}`)).text, /marketplace\.example/, name);
  assert.ok((await call("GET", "/docs/guide")).text.includes(`BASE=${base}`));
  const index = await call("GET", "/docs/llms.txt");
  assert.equal(index.headers["content-type"], "text/plain; charset=utf-8");
  for (const [, address] of index.text.matchAll(/\]\(([^)]*)\)/g)) assert.equal((await call("GET", address)).status, 200, address);
});

test("the collection for Postman has every operation with its example", async () => {
  const { item, variable } = JSON.parse(await readFile(join(made, "postman.json"), "utf8"));
  const examples = JSON.parse(await readFile(join(made, "examples.json"), "utf8"));
  const requests = item.flatMap((folder) => folder.item).map(({ request }) => request);
  assert.deepEqual(variable.map((each) => each.key), ["base", "token"]);
  assert.equal(requests.length, Object.keys(examples).length);
  const sent = requests.map(({ method, url }) => {
    const path = url.path.map((part) => (part.startsWith(":") ? encodeURIComponent(url.variable.find((each) => each.key === part.slice(1)).value) : part)).join("/");
    return `${method} /${path}`;
  });
  const wanted = Object.values(examples).map(({ method, path, values }) => `${method} ${path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(values[name]))}`);
  assert.deepEqual(sent.sort(), wanted.sort());
});
