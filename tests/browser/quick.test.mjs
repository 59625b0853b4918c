// What is changed by one tap, in the list of stock and in the heading of an item; pictures at a tap.
import assert from "node:assert/strict";
import { ask, test } from "./testing.mjs";
import { drawPicture, eventually } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

const pressed = (place) => place.locator('.tap[aria-pressed="true"]').allTextContents();

test("availability, price and status are changed in the list", async ({ page, signIn, expect }) => {
  expect(409);
  const { dealer, items, token, item } = await withStock(2);
  await signIn(dealer, { to: dealer.at("stock") });
  const row = page.locator(".row-item").filter({ hasText: "Item 1" });
  await row.waitFor();
  assert.deepEqual(await pressed(row), ["In stock"]);
  await row.getByRole("button", { name: "Sold" }).click();
  await page.getByText("“Item 1”: sold.").waitFor();
  assert.deepEqual([await pressed(row), (await item()).availability], [["Sold"], "SOLD"]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Sold");

  await row.getByRole("button", { name: "Price of Item 1: £10. Change" }).click();
  const price = row.getByRole("textbox", { name: "Price of Item 1" });
  await price.fill("€5");
  await price.press("Enter");
  await row.getByText("Must be in GBP, as the currency says.").waitFor();
  await price.fill("£1,234.50");
  await price.press("Enter");
  await row.getByRole("button", { name: "Price of Item 1: £1,234.50. Change" }).waitFor();
  assert.equal((await item()).price, 123450);
  await row.getByRole("button", { name: /^Price of/ }).click();
  await price.fill("9");
  await price.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "£1,234.50");

  const draft = page.locator(".row-item").filter({ hasText: "Item 2" });
  await draft.getByRole("button", { name: "Status of Item 2: Draft" }).click();
  await draft.getByRole("button", { name: "Publish" }).click();
  await draft.getByRole("button", { name: "Status of Item 2: Published" }).waitFor();

  // What is refused says why, and the row stays as it was.
  await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { status: "ARCHIVED" } });
  await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { status: "DRAFT" } });
  await row.getByRole("button", { name: "Status of Item 1: Published" }).click();
  await row.getByRole("button", { name: "Archive" }).click();
  await page.getByText(/^Not saved\. /).waitFor();
  await row.getByRole("button", { name: "Status of Item 1: Published" }).waitFor();
});

test("a tap in the heading changes that alone, and leaves what is being typed", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByLabel("Make").fill("Ford");
  await page.getByRole("textbox", { name: "Price" }).fill("not yet");
  await page.locator(".about").getByRole("button", { name: "Reserved" }).click();
  await page.getByText("“Item 1”: reserved.").waitFor();
  const now = await item();
  assert.deepEqual([now.availability, now.make], ["RESERVED", null]);
  assert.deepEqual([await page.getByLabel("Make").inputValue(), await page.getByRole("textbox", { name: "Price" }).inputValue(),
    await page.getByLabel("Availability", { exact: true }).inputValue()], ["Ford", "not yet", "RESERVED"]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Reserved");
  // The next save knows of it.
  await page.getByRole("textbox", { name: "Price" }).fill("10");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually("the rest is saved", async () => (await item()).make === "Ford");
  assert.equal((await item()).availability, "RESERVED");
});

test("a picture is enlarged, and made the main one", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1, { pictures: 3, page });
  const [a, b, c] = items[0].images.map((image) => image.uploadId);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByRole("button", { name: "Enlarge picture 2" }).click();
  const large = page.getByRole("dialog", { name: "Picture 2" }).locator("img");
  await eventually("it is the whole picture", () => large.evaluate((node) => node.complete && node.naturalWidth === 640));
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  assert.equal(await page.getByRole("button", { name: "Make picture 1 the main one" }).count(), 0);
  await page.getByRole("button", { name: "Make picture 3 the main one" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await eventually("the order is kept", async () => (await item()).images.map((image) => image.uploadId).join() === [c, a, b].join());
});

test("a price that is being typed stays when its row is drawn anew", async ({ page, signIn }) => {
  const { dealer, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock") });
  const row = page.locator(".row-item").filter({ hasText: "Item 1" });
  await row.getByRole("button", { name: /^Price of/ }).click();
  const price = row.getByRole("textbox", { name: "Price of Item 1" });
  await price.fill("175");
  await row.getByRole("button", { name: "Reserved" }).evaluate((button) => button.click());
  await page.getByText("“Item 1”: reserved.").waitFor();
  assert.deepEqual([Number(await price.inputValue()), await page.evaluate(() => document.activeElement.name)], [175, "price"]);
  await price.press("Enter");
  await row.getByRole("button", { name: "Price of Item 1: £175. Change" }).waitFor();
  const { price: saved, availability } = await item();
  assert.deepEqual([saved, availability], [17500, "RESERVED"]);
});

test("a tap in the heading leaves details that are not finished, and pictures that are not saved", async ({ page, signIn }) => {
  const { dealer, items, token } = await withStock(1);
  await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { attributes: { Colour: "white" } } });
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByRole("textbox", { name: "Value" }).first().fill("red");
  await page.getByRole("button", { name: "Add a row" }).click();
  await page.getByRole("textbox", { name: "Value" }).last().fill("4");
  await page.getByLabel("Choose pictures").setInputFiles([await drawPicture(page)]);
  const picture = page.locator(".picture img").first();
  await eventually("the picture", async () => (await picture.count()) && picture.evaluate((image) => image.naturalWidth > 0));
  await eventually("it was uploaded", async () => (await page.locator(".picture progress").count()) === 0);
  await page.locator(".about").getByRole("button", { name: "Reserved" }).click();
  await page.getByText("“Item 1”: reserved.").waitFor();
  assert.deepEqual(await page.getByRole("textbox", { name: "Value" }).evaluateAll((inputs) => inputs.map((input) => input.value)), ["red", "4"]);
  assert.equal(await picture.evaluate((image) => image.naturalWidth > 0), true);
});

test("Enter in a detail saves it, and the focus stays there", async ({ page, signIn }) => {
  const { dealer, items, token, item } = await withStock(1);
  await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { attributes: { Colour: "white", Doors: "4" } } });
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const value = page.getByRole("textbox", { name: "Value" }).first();
  await value.fill("red");
  await value.press("Enter");
  await page.getByText("Saved.").waitFor();
  assert.deepEqual([(await item()).attributes.Colour, await page.evaluate(() => document.activeElement.value)], ["red", "red"]);
});
