// What a list does with one's own changes, with what is typed in it, and with the focus, when it is drawn anew.
import assert from "node:assert/strict";
import { withInbox } from "./inbox.mjs";
import { ask, base, test } from "./testing.mjs";
import { eventually, holdRequests } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

const lists = "**/api/v1/stock?*";
const rowOf = (page, title) => page.locator(".row-item").filter({ hasText: title });
const pressed = (place) => place.locator('.tap[aria-pressed="true"]').allTextContents();
const focused = (page) => page.evaluate(() => document.activeElement.textContent);
const titles = (page) => page.locator(".row-link").allTextContents();

// Answers of the list that were asked for from now on are from now, and come after release().
async function holdAnswers(page) {
  let release;
  const held = new Promise((resolve) => (release = resolve)), asked = [];
  await page.route(lists, async (route) => {
    const response = await route.fetch();
    asked.push(route.request().url());
    await held;
    await route.fulfill({ response });
  });
  return { release, asked };
}

async function openAndBack(page, title, work = async () => {}) {
  await page.getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await work();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
}

test("a tap stays when an answer from before it comes later", async ({ page, signIn }) => {
  const { dealer } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  await rowOf(page, "Item 1").waitFor();
  const { release, asked } = await holdAnswers(page);
  await openAndBack(page, "Item 1");
  await eventually("it is asked for", () => asked.length === 1);
  await rowOf(page, "Item 1").getByRole("button", { name: "Sold" }).click();
  await page.getByText("“Item 1”: sold.").waitFor();
  await eventually("it is asked for again", () => asked.length === 2);
  release();
  await page.locator(".results:not([aria-busy])").waitFor();
  assert.deepEqual(await pressed(rowOf(page, "Item 1")), ["Sold"]);
});

test("the list that is shown at once knows of one's own changes, and not of what was deleted", async ({ page, signIn }) => {
  const { dealer } = await withStock(3);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("3 items").waitFor();
  const { release } = await holdRequests(page, "GET", lists);
  await openAndBack(page, "Item 1", async () => {
    await page.locator(".about").getByRole("button", { name: "Sold" }).click();
    await page.getByText("“Item 1”: sold.").waitFor();
  });
  assert.deepEqual([await titles(page), await pressed(rowOf(page, "Item 1"))], [["Item 3", "Item 2", "Item 1"], ["Sold"]]);
  await page.getByRole("link", { name: "Item 2", exact: true }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
  assert.deepEqual(await titles(page), []);
  // Nor is it offered as what was opened last.
  await page.getByRole("button", { name: /Opened last/ }).click();
  assert.deepEqual(await page.locator(".menu-recent .menu-item").allTextContents(), ["Item 1"]);
  release();
  await eventually("what is left is shown", async () => (await titles(page)).join() === "Item 3,Item 1");
});

test("what is saved when its page was left is shown in the list", async ({ page, signIn }) => {
  const { dealer } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock") });
  await rowOf(page, "Item 1").waitFor();
  const { release, waiting } = await holdRequests(page, "PATCH", "**/api/v1/stock/*");
  await openAndBack(page, "Item 1", async () => {
    await page.locator(".about").getByRole("button", { name: "Sold" }).click();
    await eventually("it is sent", () => waiting.length === 1);
  });
  await page.locator(".results:not([aria-busy])").waitFor();
  release();
  await eventually("it is sold", async () => (await pressed(rowOf(page, "Item 1"))).join() === "Sold");
});

test("a price that is being typed stays, with the focus, when the list comes anew", async ({ page, signIn }) => {
  const { dealer, items, token, item } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("2 items").waitFor();
  const { release, waiting } = await holdRequests(page, "GET", lists);
  await openAndBack(page, "Item 1");
  await eventually("it is asked for", () => waiting.length === 1);
  await ask("PATCH", `/api/v1/stock/${items[1].id}`, { token, body: { availability: "SOLD" } });
  await rowOf(page, "Item 1").getByRole("button", { name: /^Price of/ }).click();
  const price = page.getByRole("textbox", { name: "Price of Item 1" });
  await price.fill("175");
  release();
  await eventually("the other is sold", async () => (await pressed(rowOf(page, "Item 2"))).join() === "Sold");
  assert.deepEqual([await price.inputValue(), await page.evaluate(() => document.activeElement.name)], ["175", "price"]);
  await price.press("Enter");
  await page.getByText("“Item 1”: £175.").waitFor();
  assert.equal((await item()).price, 17500);
});

test("the focus stays where it was after a price, a choice of the status and a page", async ({ page, signIn }) => {
  const { dealer } = await withStock(21);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("21 items").waitFor();
  const row = rowOf(page, "Item 21");
  const { release, waiting } = await holdRequests(page, "PATCH", "**/api/v1/stock/*");
  await row.getByRole("button", { name: /^Price of/ }).click();
  await row.getByRole("textbox").fill("175");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await eventually("it is sent", () => waiting.length > 0);
  release();
  await row.getByRole("button", { name: /^Price of/ }).waitFor();
  assert.deepEqual([await focused(page), waiting.length], ["£175", 1]);
  await row.getByRole("button", { name: /^Status of/ }).press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Archived: buyers no longer see it.").waitFor();
  assert.equal(await focused(page), "Status of Item 21: Archived");
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await page.getByText("Page 2 of 2").waitFor();
  assert.equal(await focused(page), "Stock");
});

test("the focus goes to the heading when a linked filter is taken away", async ({ page, signIn }) => {
  const { dealer } = await withInbox("Ann");
  await signIn(dealer, { to: dealer.at("enquiries?jobId=01900000-0000-7000-8000-000000000000") });
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("button", { name: /^About one job/ }).press("Enter");
  await page.getByRole("link", { name: "Ann", exact: true }).waitFor();
  assert.equal(await focused(page), "Enquiries");
});

test("what is typed in a search and not sent stays when something else is chosen", async ({ page, signIn }) => {
  const { dealer } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock?q=Item&make=") });
  await page.getByText("2 items").waitFor();
  await page.getByText("More filters").click();
  await page.getByLabel("Make").fill("Ford");
  await page.getByLabel("Search in stock").fill("Item 2");
  await page.getByLabel("Order").selectOption("price");
  await page.waitForURL(/sort=price/);
  await page.getByRole("link", { name: "Published" }).click();
  await page.waitForURL(/status=PUBLISHED/);
  assert.deepEqual([await page.getByLabel("Search in stock").inputValue(), await page.getByLabel("Make").inputValue()], ["Item 2", "Ford"]);
  await page.getByRole("link", { name: "Stock", exact: true }).first().click();
  await eventually("the search is empty", async () => (await page.getByLabel("Search in stock").inputValue()) === "");
});

test("nothing stays selected under a filter whose list cannot be had", async ({ page, signIn, expect }) => {
  expect(503);
  const { dealer } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await page.getByText("2 items selected").waitFor();
  await page.route(lists, (route) => route.fulfill({ status: 503, json: { error: "Service unavailable" } }));
  await page.getByRole("link", { name: "Draft" }).click();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  assert.equal(await page.getByRole("group", { name: "Selection" }).isVisible(), false);
  await page.unroute(lists);
  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.getByText("2 items", { exact: true }).waitFor();
  await page.locator(".results:not([aria-busy])").waitFor();
  assert.equal(await page.locator(".row-item input:checked").count(), 0);
});

test("the same search twice is one step of the history", async ({ page, signIn }) => {
  const { dealer } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock?hasImages=false") });
  await page.getByText("2 items").waitFor();
  const before = await page.evaluate(() => history.length);
  await page.getByLabel("Search in stock").fill("R-2");
  await page.keyboard.press("Enter");
  await page.getByText("1 item", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Find" }).click();
  assert.equal(await page.evaluate(() => history.length), before + 1);
  await page.goBack();
  await page.getByText("2 items").waitFor();
  assert.equal(page.url(), base + dealer.at("stock?hasImages=false"));
});

test("a number of days that is none is refused by the list", async ({ page, signIn, expect }) => {
  expect(400);
  const { dealer } = await withStock(1);
  for (const days of ["abc", "99999999999"]) {
    await signIn(dealer, { to: dealer.at(`stock?unsold=${days}`) });
    await page.getByRole("heading", { name: "This filter cannot be used" }).waitFor();
  }
});
