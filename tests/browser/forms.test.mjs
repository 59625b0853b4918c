// What was typed is not lost: not with the connection, not to somebody else; and what is wrong with it is said.
import assert from "node:assert/strict";
import { ask, base, makeDealer, test, tokenOf } from "./testing.mjs";
import { bodies, loseAnswers } from "./visit.mjs";

async function withItem(to, { page, signIn }) {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const made = await ask("POST", "/api/v1/stock", { token, body: { reference: "VAN-1", title: "Van", price: 100000, currency: "GBP" } });
  await signIn(dealer, { to: to === "new" ? dealer.at("stock", "new") : dealer.at("stock", made.id) });
  await page.getByLabel("Title").waitFor();
  const item = () => ask("GET", `/api/v1/stock/${made.id}`, { token });
  const change = (body) => ask("PATCH", `/api/v1/stock/${made.id}`, { token, body });
  return { token, item, change };
}

test("a lost connection says so and loses no text", async (visit) => {
  const { page } = visit;
  visit.expect("ERR_INTERNET_DISCONNECTED");
  const { item } = await withItem("item", visit);
  await page.getByLabel("Title").fill("A better title");
  await visit.setOffline(true);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("There is no connection to the server.").waitFor();
  assert.equal(await page.getByLabel("Title").inputValue(), "A better title");
  await visit.setOffline(false);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await item()).title, "A better title");
});

test("a new item whose answer was lost is not made twice", async (visit) => {
  const { page } = visit;
  visit.expect("ERR_FAILED");
  const { token } = await withItem("new", visit);
  await page.getByLabel("Title").fill("Once");
  await page.getByLabel("Reference").fill("ONCE");
  await page.route("**/api/v1/stock", async (route) => {
    await route.fetch();
    await route.abort();
  }, { times: 1 });
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("alert").getByText("There is no connection to the server.").waitFor();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("heading", { level: 1, name: "Once" }).waitFor();
  assert.equal((await ask("GET", "/api/v1/stock", { token })).total, 2);
}, { notInFirefox: "WebDriver BiDi does not hand over a request's body" });

test("what was saved meanwhile by somebody else is shown and not overwritten", async (visit) => {
  const { page } = visit;
  visit.expect(412);
  const { item, change } = await withItem("item", visit);
  await page.getByLabel("Title").fill("Mine");
  await change({ title: "Theirs", availability: "RESERVED", price: 123456 });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Somebody else has changed this since you opened it.").waitFor();
  await page.getByText("Title: now Theirs").waitFor();
  await page.getByText("Price: now 1234.56").waitFor();
  await page.getByText("Availability: now Reserved").waitFor();
  // Seen wherever the page has been scrolled to.
  await page.evaluate(() => scrollTo(0, 0));
  const notice = await page.locator(".form-error").boundingBox();
  assert.ok(notice.y >= 0 && notice.y + notice.height <= 900, JSON.stringify(notice));
  assert.equal(await page.getByLabel("Title").inputValue(), "Mine");
  assert.equal((await item()).title, "Theirs");
  await page.getByRole("button", { name: "Save mine over it" }).click();
  await page.getByText("Saved.").waitFor();
  // Only what was typed here is written.
  assert.deepEqual([(await item()).title, (await item()).availability], ["Mine", "RESERVED"]);
  await page.getByLabel("Title").fill("Mine again");
  await change({ title: "Theirs again" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Drop mine, show theirs" }).click();
  assert.equal(await page.getByLabel("Title").inputValue(), "Theirs again");
  assert.equal((await item()).title, "Theirs again");
});

test("only what was changed is sent", async (visit) => {
  const { page } = visit;
  await withItem("item", visit);
  await page.getByLabel("Make").fill("Ford");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("button", { name: "Save" }).click();
  const request = await sent;
  assert.deepEqual([request.postDataJSON()], bodies({ make: "Ford" }));
  assert.match(request.headers()["if-match"], /^"/);
  assert.match(request.headers()["x-csrf-token"], /^[0-9a-f]{64}$/);
  await page.getByText("Saved.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("There is nothing to save.").waitFor();
});

test("too many requests go on by themselves when the wait is over", async ({ page, signIn, expect }) => {
  expect(429);
  const dealer = await makeDealer();
  await signIn(dealer);
  await page.locator(".figure").first().waitFor();
  await page.route("**/api/v1/jobs?*", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "5" },
    json: { error: "Too many requests. Please try again later." } }), { times: 1 });
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByText("Too many requests. Try again in 5 seconds.").waitFor();
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
});

test("a server that is away is told, and asked again", async ({ page, signIn, expect }) => {
  expect(503);
  const dealer = await makeDealer();
  await signIn(dealer);
  await page.locator(".figure").first().waitFor();
  const away = (route) => route.fulfill({ status: 503, headers: { "Retry-After": "5" }, json: { error: "Service unavailable" } });
  await page.route("**/api/v1/stock?*", away);
  await page.getByRole("link", { name: "Stock", exact: true }).click();
  await page.getByText("The server cannot do this at the moment.").waitFor();
  await page.unroute("**/api/v1/stock?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No stock yet" }).waitFor();
  await page.route("**/dashboard/api/session", away);
  await page.reload();
  await page.getByRole("heading", { name: "The dashboard cannot start" }).waitFor();
  await page.unroute("**/dashboard/api/session");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No stock yet" }).waitFor();
});

test("a button that is pressed before all fields are there leads to any of them", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  // A browser that paints seldom.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    window.requestAnimationFrame = () => 0;
    window.setTimeout = (work, wait, ...more) => setTimeout(work, wait === 200 ? 5000 : wait, ...more);
  });
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Van");
  await page.getByLabel("Reference").fill("R-1");
  assert.equal(await page.getByRole("textbox", { name: "Price" }).count(), 0);
  await page.getByRole("button", { name: "Publish" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.name), "price");
});

test("what is missing to publish is listed at once, and each link leads to its field, in sight", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await page.setViewportSize({ width: 360, height: 640 });
  await signIn(dealer, { to: dealer.at("jobs", "new") });
  await page.getByRole("button", { name: "Publish" }).click();
  const links = page.locator(".form-error a");
  await page.getByText("Not published. Fill these in:").waitFor();
  assert.deepEqual(await links.allTextContents(), ["Title", "Description", "Category", "Contract", "Town or city"]);
  const inSight = () => page.evaluate(() => {
    const [top, above, below] = [document.activeElement, document.querySelector(".top"), document.querySelector(".save-foot")].map((node) => node.getBoundingClientRect());
    return top.top >= above.bottom && top.top < below.top - 20;
  });
  for (const [i, name] of ["title", "description", "category", "contractType", "city"].entries()) {
    await links.nth(i).click();
    assert.equal(await page.evaluate(() => document.activeElement.name), name);
    assert.ok(await inSight(), name);
  }
  await page.getByLabel("Workplace").selectOption("REMOTE");
  await page.getByRole("button", { name: "Publish" }).click();
  assert.deepEqual(await links.allTextContents(), ["Title", "Description", "Category", "Contract"]);
});

test("amounts and addresses are taken as people write them, and shown as they were understood", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Van");
  await page.getByLabel("Reference").fill("R-1");
  const price = page.getByLabel("Price", { exact: true });
  for (const [typed, shown] of [["£17,995", "17995.00"], ["17 995.5", "17995.50"], ["1,250 £", "1250.00"]]) {
    await price.fill(typed);
    await price.press("Tab");
    assert.equal(await price.inputValue(), shown);
  }
  for (const foreign of ["€1,250", "$1,250"]) {
    await price.fill(foreign);
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByText("Must be in GBP, as the currency says.").waitFor();
    await price.fill("1");
    await page.getByText("Must be in GBP, as the currency says.").waitFor({ state: "detached" });
  }
  await price.fill("£17,995");
  await price.press("Enter");
  await page.getByText("Saved as a draft: nobody else sees it.").waitFor();
  const { stock: [item] } = await ask("GET", "/api/v1/stock", { token: await tokenOf(dealer) });
  assert.equal(item.price, 1799500);
  await page.goto(base + dealer.at("organisation"));
  const website = page.getByLabel("Website");
  await website.fill(" www.example.com/vans ");
  await website.press("Tab");
  assert.equal(await website.inputValue(), "https://www.example.com/vans");
});

test("a reference that is taken marks its field", async (visit) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await ask("POST", "/api/v1/stock", { token, body: { reference: "R-1", title: "Van" } });
  const page = visit.page;
  visit.expect(409);
  await visit.signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Car");
  await page.getByLabel("Reference").fill("R-1");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("Another item of yours has this reference.").waitFor();
  assert.equal(await page.getByLabel("Reference").getAttribute("aria-invalid"), "true");
});

test("what does not exist says so without an animation, and old messages do not stay", async (visit) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const item = await ask("POST", "/api/v1/stock", { token, body: { reference: "R-1", title: "Van" } });
  const page = visit.page;
  visit.expect(404);
  await visit.signIn(dealer, { to: dealer.at("stock", "0195f0a0-7c00-7000-8000-000000000000") });
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  assert.equal(await page.locator("[class^=outline]").count(), 0);
  await page.goto(base + dealer.at("stock", item.id));
  await page.getByLabel("Title").fill("Van 2");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  assert.equal(await page.locator(".message").count(), 0);
});

test("print has no bars, and forced colours show where one is", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const item = await ask("POST", "/api/v1/stock", { token: await tokenOf(dealer), body: { reference: "R-1", title: "Van" } });
  await signIn(dealer, { to: dealer.at("stock", item.id) });
  await page.getByRole("button", { name: "Publish" }).waitFor();
  await page.emulateMedia({ media: "print" });
  for (const bar of [".top", ".side", ".save-foot"]) assert.equal(await page.locator(bar).isVisible(), false, bar);
  await page.emulateMedia({ media: "screen", forcedColors: "active" });
  assert.equal(await page.locator(".side [aria-current]").evaluate((node) => getComputedStyle(node).outlineStyle), "solid");
}, { notInFirefox: "WebDriver BiDi emulates neither print nor forced colours" });

test("what could be read in two ways is no amount", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Van");
  await page.getByLabel("Reference").fill("R-1");
  const price = page.getByLabel("Price", { exact: true });
  for (const [typed, why] of [["19995,00", "Must be an amount such as 19995.00."], ["12,50", "Must be an amount such as 19995.00."], ["17.990,00", "Must be an amount such as 19995.00."],
    ["17.990", "Must have at most 2 digits behind the point in this currency."], ["1,250,00", "Must be an amount such as 19995.00."]]) {
    await price.fill(typed);
    await price.press("Enter");
    await page.locator(".field-error").getByText(why).waitFor();
  }
  await page.goto(base + dealer.at("jobs", "new"));
  await page.getByLabel("Title").fill("Driver");
  await page.getByLabel("Salary from").fill("12,50");
  await page.getByLabel("Salary from").press("Enter");
  await page.getByText("Must be a whole number.").waitFor();
});

test("a change whose answer was lost is not called somebody else's", async (visit) => {
  const { page } = visit;
  visit.expect(412);
  const { item } = await withItem("item", visit);
  const { send, stop } = await loseAnswers(page, "PATCH");
  await send();
  await page.getByLabel("Title").fill("Saved all the same");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("There is no connection to the server.").waitFor();
  await stop();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Saved all the same" }).waitFor();
  assert.equal((await item()).title, "Saved all the same");
  assert.equal(await page.getByText("Somebody else").count(), 0);
});
