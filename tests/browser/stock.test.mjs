// Stock: an item's states, its pictures, the way back to the list.
import assert from "node:assert/strict";
import { base, makeDealer, pdf, test } from "./testing.mjs";
import { bodies, drawPicture, eventually, isFirefox } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

test("an empty list says what to do", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByRole("heading", { name: "No stock yet" }).waitFor();
});

test("an error of the API stands beside the field that it names", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByRole("button", { name: "Save as draft" }).click();
  const title = page.getByLabel("Title");
  assert.equal(await title.getAttribute("aria-invalid"), "true");
  await title.fill("Without a price");
  assert.equal(await title.getAttribute("aria-invalid"), null);
  await page.getByLabel("Reference").fill("R-1");
  await page.getByRole("button", { name: "Publish" }).click();
  const price = page.getByRole("textbox", { name: "Price" });
  await eventually("the price is marked", async () => (await price.getAttribute("aria-invalid")) === "true");
  const described = await price.evaluate((node) => node.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id).textContent).join(" "));
  assert.match(described, /Needed to publish\. Fill this in\./);
  assert.equal(await page.evaluate(() => document.activeElement.name), "price");
  await price.fill("12.345");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Must have at most 2 digits behind the point in this currency.").waitFor();
  await page.getByRole("textbox", { name: "Year" }).fill("99");
  await price.fill("12.30");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Type a whole number from 1000 to 9999.").waitFor();
});

test("an item goes through its states, and is deleted by an administrator", async ({ page, signIn }) => {
  const { dealer, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByRole("link", { name: "Item 1" }).click();
  await page.getByRole("textbox", { name: "Price" }).fill("1234.56");
  await page.getByRole("button", { name: "Add a row" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Colour");
  await page.getByLabel("Value").fill("white");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  let now = await item();
  assert.deepEqual([now.price, now.attributes], [123456, { Colour: "white" }]);
  await page.getByRole("button", { name: "Remove this row" }).click();
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await page.locator(".about").getByText("Archived").waitFor();
  now = await item();
  assert.deepEqual([now.status, now.attributes], ["ARCHIVED", {}]);
  await page.getByRole("button", { name: "Back to draft" }).click();
  await page.locator(".about").getByText("Draft").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No stock yet" }).waitFor();
});

test("pictures are put in another order by buttons and by dragging, and taken away", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1, { pictures: 3, page });
  const [a, b, c] = items[0].images.map((image) => image.uploadId);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByRole("button", { name: "Move picture 1 later" }).focus();
  await page.keyboard.press("Enter");
  // The focus goes with the picture.
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Move picture 2 later");
  await page.keyboard.press("Enter");
  await page.getByText("Now picture 3 of 3.").waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Move picture 3 earlier");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.deepEqual((await item()).images.map((image) => image.uploadId), [b, c, a]);
  // WebDriver BiDi drags nothing in Firefox.
  if (isFirefox) await page.getByRole("button", { name: "Make picture 3 the main one" }).click();
  else await page.locator(".picture").nth(2).dragTo(page.locator(".picture").nth(0));
  await page.getByRole("button", { name: "Save" }).click();
  await eventually("the order is kept", async () => (await item()).images.map((image) => image.uploadId).join() === [a, b, c].join());
  await page.getByRole("button", { name: "Remove picture 2" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await eventually("the picture is gone", async () => (await item()).images.map((image) => image.uploadId).join() === [a, c].join());
});

test("what is changed and saved while a save is under way is saved after it, and a second press is no second save", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const held = [], sent = [];
  await page.route("**/api/v1/stock/*", async (route) => {
    if (route.request().method() === "PATCH") {
      sent.push(route.request().postDataJSON());
      await new Promise((resolve) => held.push(resolve));
    }
    await route.continue();
  });
  const save = page.getByRole("button", { name: "Save" });
  await page.getByLabel("Make").fill("Ford");
  await save.click();
  await eventually("the first is under way", () => held.length === 1);
  await page.getByLabel("Model").fill("Transit");
  await save.click();
  held[0]();
  await eventually("the second is under way", () => held.length === 2);
  await save.click();
  held[1]();
  await eventually("both are kept", async () => (await item()).model === "Transit");
  await page.locator(".save-bar:not([aria-busy])").waitFor();
  const now = await item();
  assert.deepEqual([now.make, now.model, sent], ["Ford", "Transit", bodies({ make: "Ford" }, { model: "Transit" })]);
});

test("pictures are dropped onto the page, and what is none is refused", async ({ page, signIn, expect }) => {
  expect(400);
  const { dealer, items, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const { buffer } = await drawPicture(page, { width: 1600, height: 1200 });
  await page.locator(".drop").waitFor();
  const files = await page.evaluateHandle(([bytes]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], "van.png", { type: "image/png" }));
    transfer.items.add(new File(["no picture"], "list.txt", { type: "text/plain" }));
    transfer.items.add(new File([new Uint8Array(bytes.slice(0, 100))], "broken.png", { type: "image/png" }));
    return transfer;
  }, [[...buffer]]);
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer: files });
  await page.getByRole("alert").getByText("“list.txt” is not a JPEG, PNG or WebP picture.").waitFor();
  await page.locator(".picture-failed").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".picture progress").length === 0);
  await page.getByRole("button", { name: "Remove picture 2" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const { images } = await item();
  assert.equal(images.length, 1);
  const thumbnail = await page.locator(".picture img").first().evaluate((node) => [node.getAttribute("src"), node.complete && node.naturalWidth]);
  assert.deepEqual(thumbnail, [images[0].thumbnailUrl, 400]);
});

test("a file that cannot be read, and an answer that is none, are told, and a long name is cut between its characters", async ({ page, signIn }) => {
  const { dealer, items, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.locator(".drop").waitFor();
  const picture = await drawPicture(page, { name: `${"😀".repeat(110)}a.png` });
  const choose = () => page.getByLabel("Choose pictures").setInputFiles([picture]);
  const failed = (text) => page.locator(".picture-failed").getByText(text).waitFor();
  // As when its drive is gone.
  await page.evaluate(() => {
    window.read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotReadableError"));
  });
  await choose();
  await failed("The file cannot be read. Choose it again.");
  assert.deepEqual([await page.getByRole("button", { name: "Try again" }).count(), await page.locator(".picture progress").count()], [0, 0]);
  await page.getByLabel("Choose PDFs").setInputFiles([{ name: "manual.pdf", mimeType: "application/pdf", buffer: pdf }]);
  await page.locator(".document").getByText("The file cannot be read. Choose it again.").waitFor();
  await page.evaluate(() => (Blob.prototype.arrayBuffer = window.read));
  await page.getByRole("button", { name: "Remove picture 1" }).click();
  await page.route("**/upload/*", (route) => route.fulfill({ status: 200, body: "<p>A proxy</p>" }), { times: 1 });
  await choose();
  await failed("The answer of the server cannot be read.");
  await page.getByRole("button", { name: "Remove picture 1" }).click();
  await choose();
  await page.getByText("Uploaded: 1 picture of 1.").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Remove manual.pdf" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await item()).images.length, 1);
});

test("an upload that ends leaves the focus where it is", async ({ page, signIn }) => {
  const { dealer, items } = await withStock(1, { pictures: 2, page });
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const picture = await drawPicture(page);
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route("**/upload/*", async (route) => (await held, route.continue()));
  await page.getByLabel("Choose pictures").setInputFiles([picture]);
  await page.locator(".picture progress").waitFor();
  await page.getByRole("button", { name: "Move picture 2 later" }).focus();
  go();
  await page.getByText("Uploaded: 3 pictures of 3.").waitFor({ state: "attached" });
  await page.locator(".picture progress").waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Move picture 2 later");
});

test("an upload shows how far it is, and is tried again after the connection was lost", async ({ page, context, signIn, expect }) => {
  expect("ERR_FAILED", "ERR_INTERNET_DISCONNECTED");
  const { dealer, items } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.locator(".drop").waitFor();
  await page.route("**/upload/*", (route) => route.abort());
  await page.getByLabel("Choose pictures").setInputFiles([await drawPicture(page)]);
  await page.getByText("There is no connection to the server. Check yours, then try again.").waitFor();
  await page.unroute("**/upload/*");
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route("**/upload/*", async (route) => (await held, route.continue()));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".picture progress").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Files are still on their way.").waitFor();
  go();
  await page.locator(".picture progress").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
});

test("a member cannot delete, and what is another organisation's is not found", async ({ page, signIn, expect }) => {
  expect(404);
  const { dealer, items } = await withStock(1);
  const member = await makeDealer({ role: "MEMBER", organisation: dealer.organisation });
  await signIn(member, { to: dealer.at("stock", items[0].id) });
  await page.getByRole("button", { name: "Save" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
  const stranger = await makeDealer();
  await page.context().clearCookies();
  await signIn(stranger, { to: dealer.at("stock", items[0].id) });
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.goto(base + stranger.at("stock", items[0].id));
  await page.getByText("This does not exist (any more).").waitFor();
});

test("Back, and the link to the list, show the list as it was left, before the service answers", async ({ page, signIn }) => {
  const { dealer } = await withStock(45);
  await page.setViewportSize({ width: 800, height: 500 });
  await signIn(dealer, { to: dealer.at("stock?status=PUBLISHED") });
  await page.getByText("23 items").waitFor();
  const link = page.getByRole("link", { name: "Item 21", exact: true });
  const down = () => page.evaluate(() => scrollY);
  for (const leave of [() => page.goBack(), () => page.locator(".back").click()]) {
    await link.scrollIntoViewIfNeeded();
    const before = await down();
    assert.ok(before > 200, before);
    await link.click();
    await page.getByRole("heading", { name: "Item 21" }).waitFor();
    assert.equal(await down(), 0);
    // The list comes from what is remembered, while its answer is awaited.
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    await page.route("**/api/v1/stock?*", async (route) => (await held, route.continue()));
    await leave();
    await link.waitFor();
    assert.equal(await down(), before);
    assert.ok(page.url().endsWith("?status=PUBLISHED"), page.url());
    answer();
    await page.unrouteAll({ behavior: "wait" });
    await eventually("the answer changes nothing", async () => (await page.locator(".results[aria-busy]").count()) === 0);
    assert.equal(await down(), before);
  }
  // From a page that was reached in another way it keeps the filters, too.
  await link.click();
  await page.getByRole("heading", { name: "Item 21" }).waitFor();
  await page.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Item 21" }).waitFor();
  assert.equal(await page.locator(".back").getAttribute("href"), dealer.at("stock?status=PUBLISHED"));
});
