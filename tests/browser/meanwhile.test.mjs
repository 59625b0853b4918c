// What is typed, begun or pressed while a save is under way, or after its answer was lost.
import assert from "node:assert/strict";
import { ask, makeDealer, pdf, test, tokenOf } from "./testing.mjs";
import { drawPicture, eventually, holdRequests, loseAnswers } from "./visit.mjs";
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

// The form of a new record whose first answer is lost.
async function withLost(part, fields, button, { page, signIn }) {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at(part, "new") });
  for (const [label, text] of Object.entries(fields)) await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  const { send, stop } = await loseAnswers(page, "POST");
  await send();
  await save(page, button);
  await page.getByRole("alert").getByText("There is no connection to the server.").waitFor();
  await stop();
  const token = await tokenOf(dealer);
  return async () => (await ask("GET", `/api/v1/${part}?organisationId=${dealer.organisation.id}`, { token }))[part];
}

test("a post whose answer was lost is published, and there is one", async (visit) => {
  const { page } = visit;
  const posts = await withLost("posts", { Title: "News", Text: "There are some." }, "Save as draft", visit);
  await save(page, "Publish");
  await page.getByText("Published: readers see it now.").waitFor();
  const [post, ...others] = await posts();
  assert.deepEqual([post.title, post.publishedAt !== null, others], ["News", true, []]);
  assert.equal(new URL(page.url()).pathname.split("/").at(-1), post.id);
});

test("a post that was published, though the answer was lost, is not called a draft", async (visit) => {
  const { page } = visit;
  const posts = await withLost("posts", { Title: "News", Text: "There are some." }, "Publish", visit);
  await save(page, "Publish");
  await page.getByText("Published: readers see it now.").waitFor();
  assert.equal((await posts()).length, 1);
});

test("a job whose answer was lost, and whose title was changed since, is one", async (visit) => {
  const { page } = visit;
  const jobs = await withLost("jobs", { Title: "Fitter" }, "Save as draft", visit);
  await page.getByLabel("Title").fill("Van fitter");
  await save(page, "Save as draft");
  await page.getByText("Saved as a draft: nobody else sees it.").waitFor();
  assert.deepEqual((await jobs()).map(({ title, status }) => [title, status]), [["Van fitter", "DRAFT"]]);
});

test("an item that was published, though the answer was lost, is not called a draft", async (visit) => {
  const { page } = visit;
  const stock = await withLost("stock", { Title: "Van", Reference: "R-1", Price: "1700" }, "Publish", visit);
  await page.getByLabel("Make").fill("Ford");
  await save(page, "Save as draft");
  await page.getByText("Published: buyers see it now.").waitFor();
  assert.deepEqual((await stock()).map(({ reference, make, status }) => [reference, make, status]), [["R-1", "Ford", "PUBLISHED"]]);
  await save(page, "Save");
  await page.getByText("There is nothing to save.").waitFor();
});

test("a new item that was lost and is refused when it is sent again is made as it is now", async (visit) => {
  const { page } = visit;
  visit.expect(503, 400);
  const { dealer, token } = await withStock(0);
  await visit.signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Van");
  await page.getByLabel("Reference").fill("R-1");
  await page.getByLabel("Year").fill("3");
  await page.route("**/api/v1/stock", (route) => route.fulfill({ status: 503, json: { error: "Service unavailable" } }), { times: 1 });
  await save(page, "Save as draft");
  await page.getByText("Not saved. The server cannot do this at the moment.").waitFor();
  await page.getByLabel("Year").fill("2020");
  await save(page, "Save as draft");
  await page.getByText("Saved as a draft: nobody else sees it.").waitFor();
  assert.deepEqual((await ask("GET", "/api/v1/stock", { token })).stock.map(({ year }) => year), [2020]);
});

test("what is deleted while it is saved is deleted after it", async ({ page, signIn }) => {
  const { dealer, items, token } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByLabel("Make").fill("Ford");
  // It is done, and its answer is late.
  let answer, done = false;
  const late = new Promise((go) => (answer = go));
  await page.route("**/api/v1/stock/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const response = await route.fetch();
    done = true;
    await late;
    await route.fulfill({ response });
  });
  await save(page);
  await eventually("it is saved", () => done);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  answer();
  await page.getByText("Deleted.").waitFor();
  assert.equal((await ask("GET", "/api/v1/stock", { token })).total, 0);
}, { notInFirefox: "WebDriver BiDi does not hand over a request's body" });

test("a file that could not be sent is not saved: Save says so, leaving asks, and what is said goes when it is there", async ({ page, signIn, expect }) => {
  expect("ERR_FAILED");
  const { dealer, items, item } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.locator(".drop").waitFor();
  const said = page.locator(".form-error");
  const add = { picture: async () => page.getByLabel("Choose pictures").setInputFiles([await drawPicture(page)]),
    document: () => page.getByLabel("Choose PDFs").setInputFiles([{ name: "manual.pdf", mimeType: "application/pdf", buffer: pdf }]) };
  for (const [name, choose] of Object.entries(add)) {
    await page.route("**/upload/*", (route) => route.abort());
    await choose();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await save(page);
    await said.getByText("A file could not be sent. Try it again, or remove it; then save.").waitFor();
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
    await page.unroute("**/upload/*");
    const { release } = await holdRequests(page, "PUT", "**/upload/*");
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), { picture: "Enlarge picture 1", document: "Title of manual.pdf" }[name]);
    await said.getByText("Files are still on their way. Save when they are there.").waitFor();
    release();
    await eventually(`no word of the ${name}`, async () => (await said.innerText()) === "");
    await page.unroute("**/upload/*");
  }
  await save(page);
  await saved(page);
  const { images, documents } = await item();
  assert.deepEqual([images.length, documents.length], [1, 1]);
});

test("what goes when it is pressed leaves the focus near it", async ({ page, signIn, expect }) => {
  expect(412, 503);
  const { dealer, items, token } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  const press = (name) => page.getByRole("button", { name }).press("Enter");
  const focused = () => page.evaluate(() => document.activeElement.name || document.activeElement.textContent);
  const title = page.getByRole("textbox", { name: "Title", exact: true });
  for (const name of ["Drop mine, show theirs", "Save mine over it"]) {
    await title.fill("Mine");
    await ask("PATCH", `/api/v1/stock/${items[0].id}`, { token, body: { make: name } });
    await save(page);
    await press(name);
    await page.getByText("Somebody else").waitFor({ state: "detached" });
    assert.equal(await focused(), "Save");
  }
  await saved(page);
  await title.fill("Not saved");
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await press("Discard it");
  assert.equal(await focused(), "title");
  await page.route("**/api/v1/jobs?*", (route) => route.fulfill({ status: 503, json: { error: "Service unavailable" } }), { times: 1 });
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await press("Try again");
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.className), "results");
});
