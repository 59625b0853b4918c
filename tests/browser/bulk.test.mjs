// Many stock items or jobs changed at once: selected, previewed, undone, sent.
import assert from "node:assert/strict";
import { limit } from "../support/waiting.mjs";
import { action, pending, select, withStock } from "./stocked.mjs";
import { ask, makeDealer, test, tokenOf } from "./testing.mjs";
import { eventually } from "./visit.mjs";

test("selected items get a status after ten seconds, and none before", async ({ page, signIn }) => {
  const { dealer, values, stock } = await withStock(4, (i) => (i === 4 ? { status: "DRAFT", price: null } : {}));
  await signIn(dealer, { to: dealer.at("stock") });
  const sent = [];
  page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
  await page.getByLabel("Select this page").check();
  await page.getByText("4 items selected").waitFor();
  await action(page, "Status");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("0 items will be changed, 3 are so already, 1 cannot be.").waitFor();
  await dialog.getByText("It has no price, which buyers need.").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Change 0 items" }).isDisabled());
  await dialog.getByLabel("Status").selectOption("ARCHIVED");
  await dialog.getByText("3 items will be changed, 1 cannot be.").waitFor();
  const began = Date.now();
  await dialog.getByRole("button", { name: "Change 3 items" }).click();
  await pending(page).getByText("Nothing is sent before.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Undo");
  // It goes on while another page is shown.
  await page.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
  assert.deepEqual(sent, []);
  await page.getByText("3 items changed.").waitFor({ timeout: limit(40_000) });
  assert.ok(Date.now() - began > 8_000, Date.now() - began);
  assert.equal(sent.length, 1);
  assert.deepEqual(await values("status"), { "R-1": "ARCHIVED", "R-2": "ARCHIVED", "R-3": "ARCHIVED", "R-4": "DRAFT" });
  const [first] = await stock();
  assert.deepEqual([first.description, first.attributes, first.price], ["About 1", { Colour: "white" }, 100_050]);
}, { slow: true });

test("what is undone is never sent, and the selection stays", async ({ page, signIn }) => {
  const { dealer, values } = await withStock(3);
  await signIn(dealer, { to: dealer.at("stock") });
  const sent = [];
  page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
  await select(page, 1, 2);
  await action(page, "Availability");
  await page.getByLabel("Availability", { exact: true }).last().selectOption("SOLD");
  await page.getByRole("button", { name: "Change 2 items" }).click();
  await pending(page).getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: nothing was changed.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.getByText("2 items selected").waitFor();
  assert.deepEqual(sent, []);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("tradepost.change."))), []);
  // "Do it now" does not wait.
  await action(page, "Availability");
  await page.getByLabel("Availability", { exact: true }).last().selectOption("SOLD");
  await page.getByRole("button", { name: "Change 2 items" }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("2 items changed.").waitFor();
  assert.deepEqual(Object.values(await values("availability")).sort(), ["IN_STOCK", "SOLD", "SOLD"]);
  await eventually("the list shows it", async () => (await page.locator(".row-item .tap-sold[aria-pressed=true]").count()) === 2);
  assert.equal(await page.locator(".row-item input:checked").count(), 0);
});

test("prices change by a percentage, rounded as the dialog says", async ({ page, signIn }) => {
  const { dealer, values } = await withStock(4, (i) => ({ 1: { price: 1_999_500 }, 2: { price: null, status: "DRAFT" }, 3: { price: 120_000, currency: "JPY" }, 4: { price: 30 } })[i]);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await action(page, "Price");
  const dialog = page.getByRole("dialog");
  const percent = dialog.getByLabel("Change by (%)");
  await percent.fill("much");
  await dialog.getByText("Is no percentage between −99.99 and 1000.").waitFor();
  await percent.fill("-5");
  await dialog.getByLabel("Rounding").selectOption("95");
  await dialog.getByText("It has no price.").waitFor();
  await dialog.getByText("Rounded in this way it would have no price left.").waitFor();
  await dialog.getByRole("row").filter({ hasText: "£19,995" }).getByText("£18,995").waitFor();
  await dialog.getByRole("button", { name: "Change 2 items" }).click();
  await pending(page).getByText("Change the price of 2 items by -5 %").waitFor();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("2 items changed.").waitFor();
  assert.deepEqual(await values("price"), { "R-1": 1_899_500, "R-2": null, "R-3": 113_995, "R-4": 30 });
});

test("a selected row that is changed in the list is selected as it is now", async ({ page, signIn }) => {
  const { dealer, values } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  await select(page, 1, 2);
  await page.getByRole("group", { name: "In stock or sold: Item 1" }).getByRole("button", { name: "Reserved" }).click();
  await page.getByText("“Item 1”: reserved.").waitFor();
  assert.ok(await page.getByLabel("Select Item 1", { exact: true }).isChecked());
  await action(page, "Price");
  await page.getByLabel("Change by (%)").fill("100");
  await page.getByRole("button", { name: "Change 2 items" }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("2 items changed.").waitFor();
  assert.deepEqual([await values("price"), await values("availability")], [{ "R-1": 200_100, "R-2": 400_100 }, { "R-1": "RESERVED", "R-2": "IN_STOCK" }]);
});

test("a selection goes over pages, and is gone with other filters", async ({ page, signIn }) => {
  const { dealer } = await withStock(45, (i) => ({ availability: i % 2 ? "SOLD" : "IN_STOCK" }));
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("Page 2 of 3").waitFor();
  await page.getByText("20 items selected").waitFor();
  assert.ok(!(await page.getByLabel("Select this page").isChecked()));
  await page.locator(".row-item input").first().check();
  await page.getByText("21 items selected").waitFor();
  await page.getByRole("button", { name: "Select all 45 that match" }).click();
  await page.getByText("45 items selected").waitFor();
  await page.getByLabel("Availability").selectOption("SOLD");
  await page.getByText("23 items", { exact: true }).waitFor();
  await eventually("nothing is selected", async () => (await page.locator(".select-bar.active, .row-item input:checked").count()) === 0);
  await page.locator(".row-item input").first().check();
  await page.getByRole("button", { name: "Select all 23 that match" }).click();
  await page.getByText("23 items selected").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  assert.equal(await page.locator(".row-item input:checked").count(), 0);
  assert.ok(await page.getByLabel("Select this page").evaluate((box) => box === document.activeElement));
});

test("5,000 items are changed by one request", async ({ page, signIn, expect }) => {
  expect(503);  // the look for new enquiries may not wait as long as this change can take
  const { dealer, stock } = await withStock(5000);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByLabel("Select this page").check();
  await page.getByRole("button", { name: "Select all 5,000 that match" }).click();
  await page.getByText("5,000 items selected").waitFor({ timeout: limit(60_000) });
  await action(page, "Delete");
  await page.getByText("At most 100 can be deleted at once").waitFor();
  await action(page, "Availability");
  await page.getByLabel("Availability", { exact: true }).last().selectOption("RESERVED");
  await page.getByRole("button", { name: "Change 5,000 items" }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("5,000 items changed.").waitFor({ timeout: limit(60_000) });
  assert.ok((await stock()).every((item) => item.availability === "RESERVED"));
}, { slow: true });

test("a member sees no button to delete many", async ({ page, signIn }) => {
  const { dealer } = await withStock(1, undefined, { role: "MEMBER" });
  await signIn(dealer, { to: dealer.at("stock") });
  await select(page, 1);
  await page.locator(".select-actions").getByRole("button", { name: "Status" }).waitFor();
  assert.equal(await page.locator(".select-actions").getByRole("button", { name: "Delete" }).count(), 0);
});

test("jobs get a status, and are deleted, many at once", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  for (const i of [1, 2, 3]) await ask("POST", "/api/v1/jobs", { token, body: { title: `Item ${i}`, description: i === 2 ? undefined : "Work", category: "Parts", contractType: "PERMANENT", city: i === 3 ? undefined : "Leeds" } });
  await signIn(dealer, { to: dealer.at("jobs") });
  await page.getByLabel("Select this page").check();
  await action(page, "Status");
  await page.getByText("It has no city, which readers need.").waitFor();
  await page.getByRole("button", { name: "Change 2 jobs" }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await pending(page).getByText("1 job changed.").waitFor();
  await pending(page).getByText("Item 2 – Description: Fill this in to publish.").waitFor();
  await pending(page).getByRole("button", { name: "Close" }).click();
  const jobs = async () => (await ask("GET", `/api/v1/jobs?organisationId=${dealer.organisation.id}`, { token })).jobs.map((job) => `${job.title} ${job.status}`).sort();
  assert.deepEqual(await jobs(), ["Item 1 PUBLISHED", "Item 2 DRAFT", "Item 3 DRAFT"]);
  await select(page, 2, 3);
  await action(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2 jobs" }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("2 jobs deleted.").waitFor();
  assert.deepEqual(await jobs(), ["Item 1 PUBLISHED"]);
});
