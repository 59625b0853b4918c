// The list of stock: pages, filters, order, what was opened last.
import assert from "node:assert/strict";
import { ask, base, test } from "./testing.mjs";
import { eventually } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

const titles = (page) => page.locator(".row-link").allTextContents();

test("the list has pages and filters, which the address keeps", async ({ page, signIn }) => {
  const { dealer } = await withStock(23);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("23 items").waitFor();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("Page 2 of 2").waitFor();
  assert.deepEqual(await titles(page), ["Item 3", "Item 2", "Item 1"]);
  await page.reload();
  await page.getByText("Page 2 of 2").waitFor();
  await page.getByRole("link", { name: "Draft" }).click();
  await page.getByText("11 items").waitFor();
  await page.getByLabel("Availability").selectOption("RESERVED");
  await page.getByText("3 items").waitFor();
  assert.ok(page.url().endsWith("?status=DRAFT&availability=RESERVED"), page.url());
  assert.deepEqual(await titles(page), ["Item 18", "Item 12", "Item 6"]);
  await page.goBack();
  await page.getByText("11 items").waitFor();
  assert.equal(await page.getByLabel("Availability").inputValue(), "");
  await page.getByLabel("Search in stock").fill("R-8");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText("1 item", { exact: true }).waitFor();
  await page.getByLabel("Search in stock").fill("nothing");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByText("23 items").waitFor();
});

test("a filter that finds the same items goes on over the pages, and one that finds nothing says so", async ({ page, signIn }) => {
  const { dealer } = await withStock(21);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("21 items").waitFor();
  const next = page.getByRole("link", { name: "Next" });
  assert.equal(await next.getAttribute("href"), dealer.at("stock?page=2"));
  await page.getByLabel("Pictures").selectOption("false");
  await page.waitForURL(/hasImages=false$/);
  await eventually("the link keeps the filter", async () => (await next.getAttribute("href")).endsWith("hasImages=false&page=2"));
  await page.goto(`${base}${dealer.at("jobs")}`);
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  await page.getByRole("link", { name: "Published" }).click();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
});

test("stock is searched and sorted, and a slash leads to the search", async ({ page, signIn }) => {
  const { dealer } = await withStock(4, { pictures: 1, page });
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("4 items").waitFor();
  const shows = (wanted) => eventually(`shows ${wanted}`, async () => JSON.stringify(await titles(page)) === JSON.stringify(wanted));
  await page.getByLabel("Order").selectOption("price");
  await shows(["Item 1", "Item 2", "Item 3", "Item 4"]);
  await page.getByLabel("Pictures").selectOption("false");
  await shows(["Item 2", "Item 3", "Item 4"]);
  await page.locator("h1").focus();
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Search in stock");
  await page.keyboard.type("r-3");
  await page.keyboard.press("Enter");
  await shows(["Item 3"]);
  assert.ok(page.url().endsWith("?q=r-3&hasImages=false&sort=price"), page.url());
  // In a field it is a character.
  await page.keyboard.type("/");
  assert.equal(await page.getByLabel("Search in stock").inputValue(), "r-3/");
});

test("a price in a filter stays what it is when the page is loaded again, in a currency without decimals, too", async ({ page, signIn }) => {
  const { dealer, token, items } = await withStock(2);
  for (const { id } of items) await ask("PATCH", `/api/v1/stock/${id}`, { token, body: { currency: "JPY" } });
  await signIn(dealer, { to: dealer.at("stock?priceMax=1500") });
  await page.getByText("1 item", { exact: true }).waitFor();
  await page.getByText("More filters (1)").click();
  await eventually("the price is in yen", async () => (await page.getByLabel("Price to").inputValue()) === "1500");
  await page.getByLabel("Make").fill("Ford");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/make=Ford/);
  assert.equal(new URL(page.url()).searchParams.get("priceMax"), "1500");
});

test("stock is found by make, price, year and how long it is unsold", async ({ page, signIn }) => {
  const { dealer, token, items } = await withStock(4);
  const change = (i, body) => ask("PATCH", `/api/v1/stock/${items[i].id}`, { token, body });
  await change(0, { make: "Ford", year: 2019 });
  await change(1, { make: "ford", year: 2021 });
  await change(2, { year: 2021 });
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("4 items").waitFor();
  const asked = [];
  page.on("request", (request) => request.url().includes("/api/v1/stock?") && asked.push(new URL(request.url()).searchParams));
  await page.getByText("More filters").click();
  await page.getByLabel("Make").fill("Ford");
  await page.getByLabel("Price to").fill("£15");
  await page.getByRole("button", { name: "Apply" }).click();
  await eventually("one is shown", async () => (await titles(page)).join() === "Item 1");
  await page.getByText("More filters (2)").waitFor();
  assert.ok(page.url().endsWith("?make=Ford&priceMax=1500"), page.url());
  await page.getByLabel("Year from").fill("about 2000");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Must be a whole number.").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await eventually("all are shown", async () => (await titles(page)).length === 4);
  await page.getByLabel("Unsold").selectOption("60");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  const day = new Date(Date.now() - 60 * 24 * 3600_000).toISOString().slice(0, 10);
  assert.deepEqual([asked.at(-1).get("createdTo"), asked.at(-1).getAll("availability")], [day, ["DUE_IN", "IN_STOCK", "RESERVED"]]);
});

test("what was opened last is offered, to its user alone", async ({ page, signIn }) => {
  const { dealer } = await withStock(3);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByText("3 items").waitFor();
  assert.equal(await page.getByRole("button", { name: /Opened last/ }).count(), 0);
  for (const title of ["Item 1", "Item 3", "Item 1"]) {
    await page.getByRole("link", { name: title }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    await page.goBack();
    await page.getByText("3 items").waitFor();
  }
  await page.getByRole("button", { name: /Opened last/ }).click();
  assert.deepEqual(await page.locator(".menu-recent .menu-item").allTextContents(), ["Item 1", "Item 3"]);
  await page.locator(".menu-recent").getByRole("link", { name: "Item 3" }).click();
  await page.getByRole("heading", { name: "Item 3" }).waitFor();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("tradepost.recent."))), []);
});
