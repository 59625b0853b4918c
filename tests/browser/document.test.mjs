// The document as browsers keep it: from their copy, which is renewed, and after an upgrade from the service.
import assert from "node:assert/strict";
import { base, makeDealer, test } from "./testing.mjs";
import { addSession, eventually } from "./visit.mjs";

async function load(page, address) {
  await page.goto(base + address);
  await page.locator(".empty").first().waitFor();
}

// A page of a dealer in a browser that has loaded this one before, and its address.
async function loadedBefore(visit) {
  const dealer = await makeDealer();
  const page = await visit.open();
  await addSession(page, dealer);
  const address = dealer.at("stock");
  await load(page, address);
  return { page, address };
}

// The document that a page asks for behind its copy is that of another release, and comes with window.answer().
const upgrade = (page) => page.addInitScript(() => {
  const { fetch } = window;
  const upgraded = () => new Promise((go) => (window.answer = () => go(new Response('<script src="/dashboard/assets/main-AAAAAAAA.js"></script>'))));
  window.fetch = (address, options) => options?.cache === "no-cache" ? upgraded() : fetch(address, options);
});

const kindOfLoad = (page) => page.evaluate(() => performance.getEntriesByType("navigation")[0].type);
const fromNetwork = (page) => page.evaluate(() => performance.getEntriesByType("navigation")[0].transferSize > 0);

test("the document comes from the browser's copy, which each load renews", async (visit) => {
  const { page, address } = await loadedBefore(visit);
  assert.equal(await fromNetwork(page), true);
  const documents = [];
  page.on("request", (request) => request.url() === base + address && documents.push(request.isNavigationRequest() ? "shown" : "renewed"));
  await load(page, address);
  assert.equal(await fromNetwork(page), false);
  await eventually("the copy is renewed", () => documents.length === 2);
  assert.deepEqual(documents, ["shown", "renewed"]);
}, { alone: true });

test("after an upgrade a document from the browser's copy is loaded again, unless somebody uses the page", async (visit) => {
  const { page, address } = await loadedBefore(visit);
  await upgrade(page);
  await load(page, address);
  await page.evaluate(() => window.answer());
  await page.waitForFunction(() => performance.getEntriesByType("navigation")[0].type === "reload");
  await page.locator(".empty").first().waitFor();
  assert.equal(await page.evaluate(() => typeof window.answer), "undefined");  // it does not ask again

  for (const use of [() => page.locator("main h1").click(), () => page.keyboard.press("Shift"), () => page.evaluate(() => void dispatchEvent(new WheelEvent("wheel")))]) {
    await load(page, address);
    await use();
    await page.evaluate(async () => (window.answer(), await new Promise((go) => setTimeout(go))));
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
    assert.equal(await kindOfLoad(page), "navigate");
  }
}, { alone: true });

test("a page that is loaded again after an upgrade still has the link of a letter", async (visit) => {
  const page = await visit.open();
  await page.goto(`${base}/dashboard/forgot`);
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await page.goto("about:blank");
  await upgrade(page);
  const link = `${base}/dashboard/forgot#/reset/${"5a".repeat(32)}`;
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).waitFor();
  assert.equal(page.url(), `${base}/dashboard/reset`);
  await page.evaluate(() => window.answer());
  await page.waitForFunction(() => performance.getEntriesByType("navigation")[0].type === "reload");
  await page.getByLabel("New password", { exact: true }).waitFor();
  assert.equal(page.url(), `${base}/dashboard/reset`);
}, { alone: true });

test("what comes back from the browser's memory of pages is hidden until it is loaded again", async (visit) => {
  const { page } = await loadedBefore(visit);
  const moved = (type) => page.evaluate((name) => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
  await moved("pagehide");
  assert.equal(await page.locator("main").isVisible(), false);
  await moved("pageshow");
  await page.locator(".empty").first().waitFor();
  assert.equal(await kindOfLoad(page), "reload");
});

test("what was typed holds up nobody who has left and comes back", async (visit) => {
  const { page } = await loadedBefore(visit);
  await page.getByRole("link", { name: "Add an item" }).first().click();
  await page.getByLabel("Title").fill("Ford Transit");
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await page.waitForFunction(() => performance.getEntriesByType("navigation")[0].type === "reload");
});
