// Answers that come when the user has gone on: they lead nobody away, and change nothing of what is shown by then.
import assert from "node:assert/strict";
import { letter, withInbox } from "./inbox.mjs";
import { addMember, ask, base, call, makeDealer, makeOrganisation, test } from "./testing.mjs";
import { eventually, holdRequests } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

const leave = (page) => page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
const confirmDeletion = (page) => page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();

test("a new item whose page was left does not change the address of the next one", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Van");
  await page.getByLabel("Reference").fill("R-1");
  const { release } = await holdRequests(page, "POST", "**/api/v1/stock");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("link", { name: "Stock", exact: true }).first().click();
  await leave(page);
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
  release();
  await page.getByText("Saved as a draft: nobody else sees it.").waitFor();
  assert.equal(page.url(), base + dealer.at("stock"));
});

test("an organisation's new name does not stand over another one", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const second = await makeOrganisation("Bexhill Tractors");
  await addMember(second, dealer);
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ashford & Daughters");
  const { release } = await holdRequests(page, "PATCH", "**/api/v1/accounts?*");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /^Organisation/ }).click();
  await page.getByRole("link", { name: /^Bexhill Tractors/ }).click();
  await leave(page);
  await page.getByRole("heading", { level: 1, name: "Bexhill Tractors" }).waitFor();
  release();
  await page.getByText("Saved.").waitFor();
  assert.equal(await page.locator(".top .menu-button .which").textContent(), "Bexhill Tractors");
});

test("who went on after a deletion stays there", async ({ page, signIn }) => {
  const { dealer, items } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const { release } = await holdRequests(page, "DELETE", "**/api/v1/stock/*");
  await page.getByRole("button", { name: "Delete" }).click();
  await confirmDeletion(page);
  await page.getByRole("link", { name: "Stock", exact: true }).first().click();
  await page.getByRole("link", { name: "Add an item" }).click();
  await page.getByLabel("Title").fill("The next one");
  release();
  await page.getByText("Deleted.").waitFor();
  assert.equal(await page.getByLabel("Title").inputValue(), "The next one");
  assert.equal(page.url(), base + dealer.at("stock", "new"));
});

test("an enquiry that is open when another one has been deleted stays open", async ({ page, signIn }) => {
  const { dealer, sent } = await withInbox("Ann", "Bob");
  await signIn(dealer, { to: dealer.at("enquiries", sent.Ann) });
  await letter(page, "Ann");
  const { release } = await holdRequests(page, "DELETE", "**/api/v1/enquiries/*");
  await page.getByRole("button", { name: "Delete" }).click();
  await confirmDeletion(page);
  await page.getByRole("link", { name: "Bob", exact: true }).click();
  await letter(page, "Bob");
  release();
  await page.getByText("Deleted.").waitFor();
  await page.getByRole("link", { name: "Ann", exact: true }).waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname, dealer.at("enquiries", sent.Bob));
  assert.equal(await page.getByRole("link", { name: "Bob", exact: true }).getAttribute("aria-current"), "true");
});

test("a list that was left does not come back with its last page", async ({ page, signIn }) => {
  const { dealer } = await withStock(1);
  const { release, waiting } = await holdRequests(page, "GET", "**/api/v1/stock?*");
  await signIn(dealer, { to: dealer.at("stock?page=99") });
  await eventually("it is asked for", () => waiting.length === 1);
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  const answered = page.waitForResponse((response) => response.url().includes("page=99"));
  release();
  await (await answered).finished();
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  await page.evaluate(() => new Promise((go) => setTimeout(() => setTimeout(go))));
  assert.equal(page.url(), base + dealer.at("jobs"));
});

test("the counts of all enquiries do not stand over those that were searched for", async ({ page, signIn }) => {
  const { dealer } = await withInbox("Ann", "Bob");
  await signIn(dealer, { to: dealer.at("jobs") });
  const { release, waiting } = await holdRequests(page, "GET", "**/dashboard/api/overview?*");
  await page.getByRole("link", { name: /^Enquiries/ }).click();
  await page.getByRole("link", { name: "Ann", exact: true }).waitFor();
  await eventually("the counts are asked for", () => waiting.length === 1);
  await page.getByLabel("Search in enquiries").fill("Bob");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: "Ann", exact: true }).waitFor({ state: "detached" });
  const answered = page.waitForResponse("**/dashboard/api/overview?*");
  release();
  await (await answered).finished();
  await page.evaluate(() => new Promise((go) => setTimeout(() => setTimeout(go))));
  assert.deepEqual(await page.locator(".states a").allTextContents(), ["All", "New", "Read", "Replied", "Closed", "Spam"]);
});

test("a note of an enquiry that was given up is not offered again", async ({ page, signIn }) => {
  const { dealer, sent } = await withInbox("Ann");
  await signIn(dealer, { to: dealer.at("enquiries", sent.Ann) });
  await page.getByLabel("Note").fill("Call back");
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await leave(page);
  await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft "))), []);
  await page.goBack();
  await letter(page, "Ann");
  assert.equal(await page.getByRole("region", { name: "What you typed before" }).count(), 0);
});

test("a deletion whose answer was lost is done, and what was refused is not called a save", async ({ page, signIn, expect }) => {
  expect(403, 404, "ERR_FAILED");
  const { dealer, items, token } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const drop = async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    await confirmDeletion(page);
  };
  let next = null;
  await page.route("**/api/v1/stock/*", (route) => {
    if (route.request().method() !== "DELETE" || !next) return route.continue();
    const given = next;
    next = null;
    return given(route);
  });
  const answer = (given) => (next = given);
  answer((route) => route.fulfill({ status: 403, json: { error: "Forbidden" } }));
  await drop();
  await page.getByRole("alert").getByText("Not deleted. Your role does not allow this.").waitFor();
  answer((route) => route.abort());
  await drop();
  await page.getByRole("alert").getByText("There is no connection to the server. Check yours, then try again.", { exact: true }).waitFor();
  await call("DELETE", `/api/v1/stock/${items[0].id}`, { token });
  await drop();
  await page.getByText("Deleted.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
  assert.equal((await ask("GET", "/api/v1/stock", { token })).total, 0);
});

test("a change that fails when its page was left is told", async ({ page, signIn, expect }) => {
  expect(503, 412);
  const { dealer, items, token } = await withStock(1);
  const change = async (press, meanwhile) => {
    await signIn(dealer, { to: dealer.at("stock", items[0].id) });
    await page.getByLabel("Make", { exact: true }).waitFor();
    const { release, waiting } = await holdRequests(page, "PATCH", "**/api/v1/stock/*");
    await press();
    await eventually("it is sent", () => waiting.length === 1);
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await meanwhile?.();
    release();
  };
  const away = (route) => (route.request().method() === "PATCH" ? route.fulfill({ status: 503, json: { error: "Service unavailable" } }) : route.fallback());
  await page.route("**/api/v1/stock/*", away);
  await change(() => page.locator(".about").getByRole("button", { name: "Sold" }).click());
  await page.locator("#alerts").getByText("“Item 1”: not saved. The server cannot do this at the moment. Try again in a while.").waitFor();
  await page.unroute("**/api/v1/stock/*");
  const archive = async () => {
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  };
  await change(archive, () => ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { make: "Ford" } }));
  await page.locator("#alerts").getByText("“Item 1”: not saved. Somebody else has changed it since.").waitFor();
});

test("an enquiry that could not be marked when the next one is open is told", async ({ page, signIn, expect }) => {
  expect(503);
  const { dealer, sent } = await withInbox("Ann", "Bob");
  await signIn(dealer, { to: dealer.at("enquiries", sent.Ann) });
  await letter(page, "Ann");
  await page.route(`**/api/v1/enquiries/${sent.Ann}`, (route) => (route.request().method() === "PATCH" ? route.fulfill({ status: 503, json: { error: "Service unavailable" } }) : route.fallback()));
  const { release, waiting } = await holdRequests(page, "PATCH", `**/api/v1/enquiries/${sent.Ann}`);
  await page.getByRole("button", { name: "Mark as replied" }).click();
  await eventually("it is sent", () => waiting.length === 1);
  await page.getByRole("link", { name: "Bob", exact: true }).click();
  await letter(page, "Bob");
  release();
  await page.locator("#alerts").getByText("The enquiry from Ann: not saved. The server cannot do this at the moment.").waitFor();
});

test("pages that were left do not stay in memory", async ({ page, context, signIn }) => {
  const { dealer } = await withInbox("Ann");
  await signIn(dealer, { to: dealer.at("enquiries") });
  await page.getByRole("link", { name: "Ann", exact: true }).waitFor();
  await page.evaluate(() => (window.before = new WeakRef(document.querySelector(".shell"))));
  for (const name of ["Jobs", "Overview", "Jobs"]) {
    await page.getByRole("link", { name, exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  const devtools = await context.newCDPSession(page);
  await eventually("it is gone", async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return page.evaluate(() => window.before.deref() === undefined);
  });
}, { notInFirefox: "only Chromium collects what is unused when it is told to" });
