// What is typed, begun or pressed while a save is under way, or after its answer was lost.
import assert from "node:assert/strict";
import { ask, pdf, test } from "./testing.mjs";
import { eventually, holdRequests } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

const save = (page, name = "Save") => page.getByRole("button", { name, exact: true }).click();
const saved = (page) => page.getByText("Saved.", { exact: true }).waitFor();

test("a price that is typed while a save is under way is the one that is saved next", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const price = page.getByRole("textbox", { name: "Price" });
  const { release } = await holdRequests(page, "PATCH", "**/api/v1/stock/*");
  await page.getByLabel("Make").fill("Ford");
  await save(page);
  await price.fill("");
  await price.pressSequentially("17");
  release();
  await saved(page);
  await price.pressSequentially("00");
  assert.equal(await price.inputValue(), "1700");
  await save(page);
  await eventually("it is kept", async () => (await item()).price === 170_000);
});

test("what is typed while a save is under way keeps its caret, its spaces and its rows", async ({ page, signIn }) => {
  const { dealer, items, token, item } = await withStock(1);
  await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { attributes: { Colour: "white" } } });
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByLabel("Choose PDFs").setInputFiles([{ name: "manual.pdf", mimeType: "application/pdf", buffer: pdf }]);
  await page.getByRole("link", { name: "manual.pdf" }).waitFor();
  // Saves, types meanwhile, and goes on when the answer is there.
  const meanwhile = async (type, goOn) => {
    const { release } = await holdRequests(page, "PATCH", "**/api/v1/stock/*");
    await save(page);
    await type();
    release();
    await page.locator(".save-bar:not([aria-busy])").waitFor();
    await goOn();
    await page.unroute("**/api/v1/stock/*");
  };
  const text = page.getByLabel("Description");
  await text.fill("hello world");
  await meanwhile(async () => {
    await text.press("Home");
    for (let i = 0; i < 5; i++) await text.press("ArrowRight");
    await page.keyboard.type("X");
  }, () => page.keyboard.type("YZ"));
  assert.equal(await text.inputValue(), "helloXYZ world");
  const title = page.getByLabel("Title of manual.pdf");
  await title.fill("Old");
  await meanwhile(async () => {
    await title.fill("");
    await title.pressSequentially("Service ");
  }, () => page.keyboard.type("history"));
  assert.equal(await title.inputValue(), "Service history");
  const values = page.getByRole("textbox", { name: "Value" });
  await meanwhile(() => page.getByRole("button", { name: "Add a row" }).click(), () => page.keyboard.type("Doors"));
  assert.deepEqual(await page.getByRole("textbox", { name: "Name", exact: true }).evaluateAll((all) => all.map((each) => each.value)), ["Colour", "Doors"]);
  await page.getByRole("textbox", { name: "Name", exact: true }).last().fill("");
  await page.getByLabel("Make").fill("Ford");
  await meanwhile(() => values.last().pressSequentially("fo"), () => page.keyboard.type("ur"));
  assert.deepEqual(await values.evaluateAll((all) => all.map((each) => each.value)), ["white", "four"]);
  await page.getByRole("textbox", { name: "Name", exact: true }).last().fill("Doors");
  await save(page);
  await eventually("all is kept", async () => (await item()).attributes.Doors === "four");
  assert.deepEqual((await item()).documents.map((each) => each.title), ["Service history"]);
});
