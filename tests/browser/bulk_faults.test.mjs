// What is in the way of a change of many: other people, lost answers, ended sessions, closed pages.
import assert from "node:assert/strict";
import { action, loseAnswer, pending, select, withStock } from "./stocked.mjs";
import { ask, base, test } from "./testing.mjs";
import { eventually } from "./visit.mjs";

test("what somebody else changed or deleted meanwhile stays as they left it, and is named", async ({ page, signIn }) => {
  const { dealer, token, stock, values } = await withStock(3);
  const [first, second] = await stock();
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await action(page, "Price");
  await page.getByLabel("Change by (%)").fill("10");
  await page.getByRole("button", { name: "Change 3 items" }).click();
  await pending(page).getByRole("button", { name: "Undo" }).waitFor();
  await ask("PATCH", `/api/v1/stock/${first.id}`, { token, body: { price: 5 } });
  await ask("DELETE", `/api/v1/stock/${second.id}`, { token });
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await pending(page).getByText("1 item changed.").waitFor();
  await pending(page).getByText("Item 1 – It has been changed since.").waitFor();
  await pending(page).getByText("Item 2 – It has been deleted since.").waitFor();
  assert.deepEqual(await values("price"), { "R-1": 5, "R-3": 330_100 });
  await pending(page).getByRole("button", { name: "Close" }).click();
  assert.equal(await pending(page).textContent(), "");
});

test("a change between reading and writing makes it read again", async ({ page, signIn, expect }) => {
  expect(412);
  const { dealer, token, stock, values } = await withStock(3);
  const [first] = await stock();
  await signIn(dealer, { to: dealer.at("stock") });
  await select(page, 2);
  await action(page, "Availability");
  await page.getByLabel("Availability", { exact: true }).last().selectOption("SOLD");
  await page.getByRole("button", { name: "Change 1 item" }).click();
  let times = 0;
  await page.route("**/stock/feed?*", async (route) => {
    if (route.request().method() === "PUT" && ++times === 1) await ask("PATCH", `/api/v1/stock/${first.id}`, { token, body: { title: "Another title" } });
    await route.continue();
  });
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("1 item changed.").waitFor();
  assert.equal(times, 2);
  assert.deepEqual([await values("title"), await values("availability")].map((each) => Object.values(each).join()), ["Another title,Item 2,Item 3", "IN_STOCK,SOLD,IN_STOCK"]);
});

test("after a lost answer it is looked up whether the change has arrived", async ({ page, signIn }) => {
  const { dealer, values } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await action(page, "Price");
  await page.getByLabel("Change by (%)").fill("10");
  await page.getByRole("button", { name: "Change 2 items" }).click();
  let times = 0;
  page.on("request", (request) => request.method() === "PUT" && times++);
  await loseAnswer(page, "PUT", "/stock/feed");
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await pending(page).getByText("There is no connection to the server.").waitFor();
  await pending(page).getByRole("button", { name: "Try again" }).click();
  await page.getByText("2 items changed.").waitFor();
  assert.equal(times, 1);
  assert.deepEqual(await values("price"), { "R-1": 110_100, "R-2": 220_100 });
});

test("a session that ended is asked for again, and the change goes on", async ({ page, context, signIn }) => {
  const { dealer, values } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await action(page, "Status");
  await page.getByLabel("Status", { exact: true }).last().selectOption("ARCHIVED");
  await page.getByRole("button", { name: "Change 2 items" }).click();
  await context.clearCookies();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByRole("button", { name: "Not now" }).click();
  await pending(page).getByText("You are no longer signed in. Nothing was changed.").waitFor();
  await pending(page).getByRole("button", { name: "Try again" }).click();
  await again.getByLabel("Password", { exact: true }).fill(dealer.password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("2 items changed.").waitFor();
  assert.deepEqual(await values("status"), { "R-1": "ARCHIVED", "R-2": "ARCHIVED" });
});

test("nobody signs out while a change waits", async ({ page, signIn }) => {
  const { dealer, values } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock") });
  await select(page, 1);
  await action(page, "Status");
  await page.getByLabel("Status", { exact: true }).last().selectOption("ARCHIVED");
  await page.getByRole("button", { name: "Change 1 item" }).click();
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("A change of many is under way. Undo it, or wait until it is over, and sign out then.").waitFor();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("1 item changed.").waitFor();
  assert.deepEqual(await values("status"), { "R-1": "ARCHIVED" });
});

test("when not all that match can be read, none of them is selected", async ({ page, signIn, expect }) => {
  expect(503);
  const { dealer } = await withStock(420);
  await signIn(dealer, { to: dealer.at("stock") });
  await select(page, 420);
  await page.route("**/api/v1/stock?*page=5*", (route) => route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { error: "Service unavailable" } }));
  await page.getByRole("button", { name: "Select all 420 that match" }).click();
  await page.getByText("Nothing more was selected.").waitFor();
  await page.getByText("1 item selected", { exact: true }).waitFor();
});

test("closing the page before it is sent changes nothing, and the next page says so", async ({ page, context, signIn }) => {
  const { dealer, values } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  await select(page, 1);
  await action(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 item" }).click();
  await pending(page).getByRole("button", { name: "Undo" }).waitFor();
  // The ten seconds stand still: it is not sent before the page is closed.
  await page.evaluate(() => {
    const now = Date.now();
    Date.now = () => now;
  });
  // Another tab neither begins a change nor takes this one for cut off.
  const other = await context.newPage();
  await other.goto(base + dealer.at("stock"));
  await select(other, 2);
  await action(other, "Delete");
  await other.getByRole("dialog").getByRole("button", { name: "Delete 1 item" }).click();
  await other.getByText("Another change is under way in another tab.").waitFor();
  assert.equal(await pending(other).textContent(), "");
  // Whoever really wants to close it is asked by the browser.
  const asked = new Promise((resolve) => page.once("dialog", (dialog) => resolve(dialog.type()) || dialog.accept()));
  await page.close({ runBeforeUnload: true });
  assert.equal(await asked, "beforeunload");
  await eventually("the page is closed", () => page.isClosed());
  await other.reload();
  await pending(other).getByText("“Delete 1 item” was stopped, because the page was closed.").waitFor();
  await pending(other).getByText("nothing had been sent, and nothing was changed.").waitFor();
  await pending(other).getByRole("button", { name: "Close" }).click();
  await other.reload();
  await other.getByLabel("Select Item 1").waitFor();
  assert.equal(await pending(other).textContent(), "");
  assert.deepEqual(Object.keys(await values("title")), ["R-1", "R-2"]);
});

test("a deletion that fails half-way says how far it came, and goes on there", async ({ page, signIn, expect }) => {
  expect(429, 404, 412);
  const { dealer, token, stock, values } = await withStock(5);
  const items = await stock();
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await action(page, "Delete");
  const sent = [];
  await loseAnswer(page, "DELETE", "/api/v1/stock/", 2);
  await page.route("**/api/v1/stock/*", async (route) => {
    if (route.request().method() !== "DELETE") return route.continue();
    sent.push(route.request().url().slice(-36));
    if (sent.length === 3) return route.fulfill({ status: 429, headers: { "Retry-After": "1" }, json: { error: "Too many requests. Please try again later." } });
    return route.continue();
  });
  await page.getByRole("dialog").getByRole("button", { name: "Delete 5 items" }).click();
  await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { price: 7 } });
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await pending(page).getByText("Delete 5 items: not done to the end.").waitFor();
  assert.deepEqual(await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith("tradepost.change.")).map(([, text]) => [JSON.parse(text).at, JSON.parse(text).state])), [[1, "failed"]]);
  await pending(page).getByRole("button", { name: "Try again" }).click();
  await pending(page).getByText("The service takes no more for now").waitFor();
  await pending(page).getByText("4 items deleted.").waitFor();
  await pending(page).getByText("Item 1 – It has been changed since.").waitFor();
  assert.deepEqual(await values("price"), { "R-1": 7 });
});

test("a deletion is stopped, and one whose page is closed tells how far it came", async ({ page, context, signIn }) => {
  const { dealer, values } = await withStock(4);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  const holds = [];
  await page.route("**/api/v1/stock/*", async (route) => {
    if (route.request().method() === "DELETE") await new Promise((resolve) => holds.push(resolve));
    await route.continue();
  });
  await action(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 4 items" }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await eventually("one is under way", () => holds.length === 1);
  await pending(page).getByRole("button", { name: "Stop here" }).click();
  holds[0]();
  await page.getByText("1 item deleted. Stopped: 3 are left.").waitFor();
  assert.equal(Object.keys(await values("title")).length, 3);
  await page.getByText("3 items", { exact: true }).waitFor();
  await page.getByLabel("Select this page").check();
  await action(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 3 items" }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await eventually("another is under way", () => holds.length === 2);
  holds[1]();
  await eventually("the third is under way", () => holds.length === 3);
  const other = await context.newPage();
  await page.close();
  await other.goto(base + dealer.at("jobs"));
  await pending(other).getByText("“Delete 3 items” was stopped, because the page was closed.").waitFor();
  await pending(other).getByText("at least 1 of 3 were done, perhaps one more. The rest are unchanged.").waitFor();
});
