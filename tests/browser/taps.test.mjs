// What is saved at once: of several presses the last one counts, and a tap changes no more than its own part.
import assert from "node:assert/strict";
import { ask, makeDealer, test, tokenOf } from "./testing.mjs";
import { bodies, eventually, holdRequests, loseAnswers } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

const pressed = (place) => place.locator('.tap[aria-pressed="true"]').allTextContents();
const both = bodies('{"availability":"SOLD"}', '{"availability":"IN_STOCK"}');

test("a mistaken tap is taken back at once", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1);
  for (const [to, place] of [[dealer.at("stock"), page.locator(".row-item")], [dealer.at("stock", items[0].id), page.locator(".about")]]) {
    await signIn(dealer, { to });
    const { release, waiting } = await holdRequests(page, "PATCH", "**/api/v1/stock/*");
    await place.getByRole("button", { name: "Sold" }).click();
    await place.getByRole("button", { name: "Reserved" }).click();
    await place.getByRole("button", { name: "In stock" }).click();
    await eventually("the first is sent", () => waiting.length === 1);
    release();
    await page.getByText("“Item 1”: in stock.").waitFor();
    assert.deepEqual([waiting, await pressed(place), (await item()).availability], [both, ["In stock"], "IN_STOCK"]);
    await page.unroute("**/api/v1/stock/*");
  }
});

test("what is saved while a tap is on its way is saved after it", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByLabel("Make").fill("Ford");
  const { release, waiting } = await holdRequests(page, "PATCH", "**/api/v1/stock/*");
  await page.locator(".about").getByRole("button", { name: "Sold" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await eventually("the tap is sent", () => waiting.length === 1);
  release();
  await page.getByText("Saved.", { exact: true }).waitFor();
  const { availability, make } = await item();
  assert.deepEqual([availability, make], ["SOLD", "Ford"]);
});

test("the last choice of emails counts", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: "/dashboard/settings/letters" });
  const choice = page.getByLabel(/^New enquiries to/);
  const { release, waiting } = await holdRequests(page, "PATCH", "**/api/v1/accounts/letters?*");
  await choice.selectOption("DAILY");
  await choice.selectOption("NONE");
  await eventually("the first is sent", () => waiting.length === 1);
  assert.equal(await choice.inputValue(), "NONE");
  release();
  const letters = async () => (await ask("GET", `/api/v1/accounts/letters?organisationId=${dealer.organisation.id}`, { token: await tokenOf(dealer) })).enquiryMail;
  await eventually("the last is kept", async () => (await letters()) === "NONE");
  assert.deepEqual([waiting, await choice.inputValue()], [bodies('{"enquiryMail":"DAILY"}', '{"enquiryMail":"NONE"}'), "NONE"]);
});

test("the last tick counts, and is what is said", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: "/dashboard/settings/second-factor" });
  const tick = page.getByLabel(/ must use two steps$/);
  await tick.waitFor();
  const path = "**/dashboard/api/organisations/*/second-factor";
  await page.route(path, (route) => route.fulfill({ json: { data: null } }));  // who has no second step may not tick it
  const { release, waiting } = await holdRequests(page, "PUT", path);
  await tick.click();
  await tick.click();
  await eventually("the first is sent", () => waiting.length === 1);
  release();
  await page.getByText(/ need not use two steps\.$/).waitFor();
  assert.deepEqual([waiting, await tick.isChecked()], [bodies('{"required":true}', '{"required":false}'), false]);
});

test("a tap that somebody else came before of saves nothing that was typed, and drops nothing", async (visit) => {
  const { page } = visit;
  visit.expect(412);
  const { dealer, items, item, token } = await withStock(1);
  const change = (body) => ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body });
  await visit.signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const tap = (name) => page.locator(".about").getByRole("button", { name }).click();
  await page.getByLabel("Title").fill("Half a ti");
  await change({ make: "Opel" });
  await tap("Sold");
  await page.getByRole("button", { name: "Save mine over it" }).click();
  await page.getByText("“Item 1”: sold.").waitFor();
  const now = await item();
  assert.deepEqual([now.availability, now.title, now.make], ["SOLD", "Item 1", "Opel"]);
  const fields = async () => [await page.getByLabel("Title").inputValue(), await page.getByLabel("Make").inputValue(), await page.getByLabel("Availability", { exact: true }).inputValue()];
  assert.deepEqual(await fields(), ["Half a ti", "Opel", "SOLD"]);
  await change({ make: "Ford" });
  await tap("Reserved");
  await page.getByRole("button", { name: "Drop mine, show theirs" }).click();
  await page.locator(".form-error").getByRole("button").first().waitFor({ state: "detached" });
  assert.deepEqual(await fields(), ["Half a ti", "Ford", "SOLD"]);
  assert.equal((await item()).availability, "SOLD");
});

test("what was published is not called somebody else's when its answer was lost", async (visit) => {
  const { page } = visit;
  visit.expect(412);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const job = await ask("POST", "/api/v1/jobs", { token, body: { organisationId: dealer.organisation.id, title: "Fitter", description: "Vans.", category: "Workshop", contractType: "PERMANENT", city: "Ashford" } });
  await visit.signIn(dealer, { to: dealer.at("jobs", job.id) });
  await page.getByLabel("Title").fill("Van fitter");
  const { send, stop } = await loseAnswers(page, "PATCH");
  await send();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("alert").getByText("There is no connection to the server.").waitFor();
  await stop();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Published: readers see it now.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Van fitter" }).waitFor();
  assert.equal(await page.getByText("Somebody else").count(), 0);
});

test("pictures and details whose answer was lost are known again, and what was typed since is saved", async (visit) => {
  const { page } = visit;
  visit.expect(412);
  const { dealer, items, item, token } = await withStock(1, { pictures: 2, page });
  await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { attributes: { Doors: "4", Colour: "white" } } });
  await visit.signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByRole("button", { name: "Make picture 2 the main one" }).click();
  await page.getByRole("button", { name: "Remove this row" }).first().click();
  const { send, stop } = await loseAnswers(page, "PATCH");
  await send();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("There is no connection to the server.").waitFor();
  await stop();
  await page.getByLabel("Make", { exact: true }).fill("Ford");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  const { make, attributes, images } = await item();
  assert.deepEqual([make, attributes, images.map(({ uploadId }) => uploadId)], ["Ford", { Doors: "4" }, items[0].images.map(({ uploadId }) => uploadId).reverse()]);
});

test("what is missing to publish is named in the list", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await ask("POST", "/api/v1/stock", { token, body: { reference: "R-1", title: "Van", currency: "GBP" } });
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByRole("button", { name: "Status of Van: Draft" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Not saved. Price: Fill this in to publish.").waitFor();
});
