// A new item or job that begins as a copy.
import assert from "node:assert/strict";
import { ask, base, makeDealer, test, tokenOf, upload } from "./testing.mjs";
import { drawPicture, eventually } from "./visit.mjs";

const save = async (page) => {
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("Saved as a draft: nobody else sees it.").waitFor();
};

test("an item is duplicated without its reference and status, with its pictures when that is wanted", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const { id: uploadId } = await upload(token, dealer.organisation, (await drawPicture(page)).buffer);
  const item = await ask("POST", "/api/v1/stock", { token, body: { reference: "R-1", title: "Ford Transit", description: "Long", make: "Ford", year: 2020, condition: "USED", price: 1_999_500, currency: "EUR",
    attributes: { Colour: "white", Doors: "4" }, status: "PUBLISHED", availability: "DUE_IN", images: [{ uploadId }] } });
  await signIn(dealer, { to: dealer.at("stock", item.id) });
  await page.getByRole("link", { name: "Duplicate" }).click();
  await page.getByText("A copy of “Ford Transit”, not saved yet.").waitFor();
  assert.equal(await page.getByLabel("Reference").inputValue(), "");
  assert.equal(await page.getByRole("textbox", { name: "Price" }).inputValue(), "19995.00");
  // Nothing was typed, so nothing is lost by leaving.
  await page.getByRole("button", { name: "Take its picture, too" }).click();
  await page.getByLabel("Reference").fill("R-2");
  await page.getByRole("button", { name: "Remove this row" }).first().click();
  await page.getByLabel("Make").fill("");
  await save(page);
  const { stock } = await ask("GET", "/api/v1/stock", { token });
  const copy = stock.find((each) => each.reference === "R-2");
  const { title, description, make, year, condition, price, currency, attributes, status, availability, images } = copy;
  assert.deepEqual([title, description, make, year, condition, price, currency, attributes, status, availability, images.map((image) => image.uploadId)],
    ["Ford Transit", "Long", null, 2020, "USED", 1_999_500, "EUR", { Doors: "4" }, "DRAFT", "DUE_IN", [uploadId]]);
  assert.ok(page.url().endsWith(`/stock/${copy.id}`), page.url());
  assert.deepEqual((await ask("GET", `/api/v1/stock/${item.id}`, { token })).images.length, 1);
  // Once more, without pictures.
  await page.getByRole("link", { name: "Duplicate" }).click();
  await page.getByText("not saved yet").waitFor();
  await page.getByLabel("Reference").fill("R-3");
  await save(page);
  await eventually("the third has no picture", async () => (await ask("GET", "/api/v1/stock?reference=R-3", { token })).stock[0]?.images.length === 0);
});

test("a job is duplicated, its description too", async ({ page, signIn, expect }) => {
  expect(404);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const job = await ask("POST", "/api/v1/jobs", { token, body: { reference: "J-1", title: "Driver", description: "**Drive**", category: "Transport", contractType: "PERMANENT", city: "Leeds", salaryMin: 30_000, salaryCurrency: "GBP", status: "PUBLISHED" } });
  await signIn(dealer, { to: dealer.at("jobs", job.id) });
  await page.getByRole("link", { name: "Duplicate" }).click();
  await page.getByText("A copy of “Driver”, not saved yet.").waitFor();
  await page.getByLabel("Title").fill("Second driver");
  await save(page);
  await eventually("it is no longer called unsaved", async () => (await page.getByText("not saved yet").count()) === 0);
  const { jobs } = await ask("GET", `/api/v1/jobs?organisationId=${dealer.organisation.id}&status=DRAFT`, { token });
  const copy = await ask("GET", `/api/v1/jobs/${jobs[0].id}`, { token });
  assert.deepEqual([jobs.length, copy.title, copy.reference, copy.description, copy.category, copy.contractType, copy.city, copy.salaryMin, copy.status],
    [1, "Second driver", null, "**Drive**", "Transport", "PERMANENT", "Leeds", 30_000, "DRAFT"]);
  // What is not there cannot be copied.
  await page.goto(base + dealer.at("jobs", "new?copy=018f0000-0000-7000-8000-000000000000"));
  await page.getByText("This does not exist (any more).").waitFor();
});

test("pictures of the other item come behind those that were just uploaded", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const { id: uploadId } = await upload(token, dealer.organisation, (await drawPicture(page)).buffer);
  const item = await ask("POST", "/api/v1/stock", { token, body: { reference: "R-1", title: "Ford Transit", images: [{ uploadId }] } });
  await signIn(dealer, { to: dealer.at("stock", `new?copy=${item.id}`) });
  await page.getByLabel("Choose pictures").setInputFiles([await drawPicture(page)]);
  await eventually("it was uploaded", async () => (await page.locator(".picture").count()) === 1 && (await page.locator(".picture progress").count()) === 0);
  await page.getByRole("button", { name: "Take its picture, too" }).click();
  await page.getByLabel("Reference").fill("R-2");
  await save(page);
  const { images } = (await ask("GET", "/api/v1/stock?reference=R-2", { token })).stock[0];
  assert.deepEqual([images.length, images[1].uploadId], [2, uploadId]);
});
