// Enquiries: the inbox that notices what is new, and one enquiry.
import assert from "node:assert/strict";
import { limit } from "../support/waiting.mjs";
import { withMail } from "./inbox.mjs";
import { ask, makeDealer, makeUser, test, tokenOf, upload } from "./testing.mjs";
import { drawPicture, eventually, letPass } from "./visit.mjs";

test("what is new is noticed without loading the page, and costs nothing while nothing is", async ({ page, signIn }) => {
  const { dealer, send } = await withMail();
  await send("First");
  await page.clock.install();
  const polls = [];
  page.on("response", (response) => response.url().includes("updatedSince=") && polls.push(response.status()));
  await signIn(dealer, { to: dealer.at("enquiries") });
  await page.getByRole("link", { name: "First" }).waitFor();
  const mark = page.getByRole("navigation", { name: "Main" }).locator(".count");
  await mark.getByText("1", { exact: true }).waitFor();
  const pollAgain = async () => {
    const before = polls.length;
    await eventually("a poll", async () => (await letPass(page, 31_000), polls.length > before));
  };
  for (let i = 0; i < 3; i++) await pollAgain();
  assert.deepEqual(polls.slice(1), polls.slice(1).map(() => 304));
  await send("Second");
  await send("Third");
  await eventually("the new ones", async () => (await pollAgain(), await page.getByText("2 new enquiries since you opened this page.").count()));
  await mark.getByText("3", { exact: true }).waitFor();
  assert.equal(await page.title(), "(3) Enquiries – Tradepost");
  assert.equal(await page.getByRole("link", { name: "Second" }).count(), 0);
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("link", { name: "Third" }).waitFor();
  assert.equal(await page.locator(".news .notice").count(), 0);
  await pollAgain();
  await pollAgain();
  assert.equal(polls.at(-1), 304);
});

test("what comes before the first look is news too", async ({ page, signIn }) => {
  const { dealer, send } = await withMail();
  await send("First");
  await signIn(dealer, { to: dealer.at("enquiries") });
  await page.getByRole("link", { name: "First" }).waitFor();
  await send("Second");
  // The first look is after 3 seconds, the second after half a minute.
  await page.getByText("1 new enquiry since you opened this page.").waitFor({ timeout: limit(45_000) });
  assert.equal(await page.getByRole("link", { name: "Second" }).count(), 0);
});

test("a forgotten tab stops asking, so that its session can end", async ({ page, signIn }) => {
  const { dealer, send } = await withMail();
  await send("First");
  await page.clock.install();
  let polls = 0;
  page.on("request", (request) => (polls += request.url().includes("updatedSince=") ? 1 : 0));
  await signIn(dealer, { to: dealer.at("enquiries") });
  await eventually("a poll", async () => (await letPass(page, 31_000), polls > 1));
  await page.clock.fastForward(5 * 3600_000);
  const before = polls;
  for (let i = 0; i < 4; i++) {
    await letPass(page, 31_000);
  }
  assert.equal(polls, before);
  await page.keyboard.press("Shift");
  await eventually("a poll after a key", () => polls > before);
});

test("opening an enquiry reads it; it is noted, marked and found by its status", async ({ page, signIn }) => {
  const { dealer, send, read } = await withMail();
  const { id } = await send("Sam Solo", "Is the van still there?\n<b>Really?</b>");
  await signIn(dealer, { to: dealer.at("enquiries?status=NEW") });
  await page.getByRole("link", { name: "Sam Solo" }).click();
  await page.getByText("<b>Really?</b>").waitFor();
  await page.locator(".about").getByText("Read", { exact: true }).waitFor();
  assert.equal((await read(id)).status, "READ");
  const reply = new URL(await page.getByRole("link", { name: "Reply by email" }).getAttribute("href"));
  assert.equal(reply.pathname, "sam@example.com");
  assert.match(reply.searchParams.get("body"), /> Is the van still there\?/);
  await page.getByLabel("Note").fill("Rang back.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("button", { name: "Spam" }).click();
  await page.locator(".about").getByText("Spam").waitFor();
  assert.deepEqual([(await read(id)).status, (await read(id)).note], ["SPAM", "Rang back."]);
  await page.getByRole("combobox", { name: "Status" }).selectOption("CLOSED");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".about").getByText("Closed").waitFor();
  await page.getByRole("link", { name: "Enquiries" }).first().click();
  const tabs = page.getByRole("navigation", { name: "Status" });
  await tabs.getByRole("link", { name: "Closed 1" }).click();
  await page.getByRole("link", { name: "Sam Solo" }).waitFor();
  await tabs.getByRole("link", { name: "Read 0" }).click();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
});

test("a message is quoted up to its thousandth character, and an address that names others is one address", async ({ page, signIn }) => {
  const { dealer, token } = await withMail();
  const email = "x%40evil.example?bcc=spy%40evil.example&body=Hi@a.example";
  const message = `${"x".repeat(999)}😀${"y".repeat(9)}`;
  const { id } = await ask("POST", "/api/v1/enquiries", { token, body: { organisationId: dealer.organisation.id, name: "Sam", email, message } });
  await signIn(dealer, { to: dealer.at("enquiries", id) });
  const address = async (link) => new URL(await link.getAttribute("href"));
  const reply = await address(page.getByRole("link", { name: "Reply by email" })), plain = await address(page.locator(".facts").getByRole("link", { name: email }));
  assert.deepEqual([reply, plain].map(({ pathname }) => decodeURIComponent(pathname)), [email, email]);
  assert.deepEqual([[...reply.searchParams.keys()], plain.search], [["subject", "body"], ""]);
  assert.match(reply.searchParams.get("body"), /\n> x{999}😀…\n$/);
});

test("an enquiry about a deleted item says so", async ({ page, signIn, expect }) => {
  expect(404);
  const { dealer, token } = await withMail();
  const item = await ask("POST", "/api/v1/stock", { token, body: { reference: "R", title: "Van", price: 1, currency: "GBP", status: "PUBLISHED" } });
  const body = { stockId: item.id, name: "Without email", phone: "0113 496 0001", message: "Call me." };
  const { id } = await ask("POST", "/api/v1/enquiries", { token, body });
  await signIn(dealer, { to: dealer.at("enquiries", id) });
  await page.getByRole("link", { name: "Van", exact: true }).waitFor();
  await page.getByText("No email address was left: call instead.").waitFor();
  await ask("DELETE", `/api/v1/stock/${item.id}`, { token });
  await page.reload();
  await page.getByText("Van (deleted)").waitFor();
  await page.locator(".row-main").getByText("Van", { exact: true }).waitFor();
});

test("marking an enquiry says what was done, and leaves focus and scroll position alone", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const buyer = await tokenOf(await makeUser("Sam Solo"));
  const { id } = await ask("POST", "/api/v1/enquiries", { token: buyer, body: { organisationId: dealer.organisation.id, name: "Sam", email: "s@a.example", message: "Hello.\n".repeat(60) } });
  await page.setViewportSize({ width: 900, height: 500 });
  await signIn(dealer, { to: dealer.at("enquiries", id) });
  const button = page.getByRole("button", { name: "Mark as replied" });
  await button.waitFor();
  await button.evaluate((node) => node.focus({ preventScroll: true }));
  await page.evaluate(() => scrollTo(0, 300));
  await page.keyboard.press("Enter");
  await page.getByText("Marked as replied.").waitFor();
  assert.equal(await page.evaluate(() => scrollY), 300);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Close");
  await page.getByRole("button", { name: "Delete" }).click();
  assert.equal(await page.getByRole("dialog").getByText("archive").count(), 0);
});

test("items and jobs list their enquiries, which show the picture of the item", async ({ page, signIn }) => {
  const { dealer, token } = await withMail();
  const buyer = await tokenOf(await makeUser("Sam Solo"));
  const item = await ask("POST", "/api/v1/stock", { token, body: { reference: "R", title: "Blue van", price: 1, currency: "GBP", status: "PUBLISHED" } });
  const job = await ask("POST", "/api/v1/jobs", { token, body: { title: "Driver", description: "D", category: "C", contractType: "PERMANENT", city: "Leeds", status: "PUBLISHED" } });
  for (let i = 1; i <= 6; i++) await ask("POST", "/api/v1/enquiries", { token: buyer, body: { stockId: item.id, name: `Buyer ${i}`, message: "Hello" } });
  await ask("POST", "/api/v1/enquiries", { token: buyer, body: { jobId: job.id, name: "Applicant", message: "Hello" } });
  await signIn(dealer, { to: dealer.at("stock", item.id) });
  const picture = await drawPicture(page);
  const { id: uploadId } = await upload(token, dealer.organisation, picture.buffer);
  await ask("PATCH", `/api/v1/stock/${item.id}`, { token, body: { images: [{ uploadId }] } });
  await page.getByRole("link", { name: "Buyer 6" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Buyer 1" }).count(), 0);
  await page.getByRole("link", { name: "All 6 enquiries" }).click();
  await page.getByText("6 enquiries", { exact: true }).waitFor();
  await page.locator(".rows").getByText("Blue van").first().waitFor();
  await eventually("the picture", () => page.locator(".rows img").first().evaluate((image) => image.naturalWidth > 0));
  await page.getByRole("link", { name: "Buyer 1" }).click();
  await eventually("the picture beside the message", () => page.locator(".facts img").evaluate((image) => image.naturalWidth > 0));
  await page.getByRole("button", { name: /^About one stock item/ }).click();
  await page.getByText("7 enquiries", { exact: true }).waitFor();
  await page.goto(new URL(dealer.at("jobs", job.id), page.url()).href);
  await page.getByRole("link", { name: "Applicant" }).click();
  await page.getByRole("heading", { level: 1, name: "Enquiry from Applicant" }).waitFor();
});

test("news whose count could not be asked for comes with the next look", async ({ page, signIn, expect }) => {
  expect("ERR_FAILED");
  const { dealer, send } = await withMail();
  await send("First");
  await page.clock.install();
  await signIn(dealer, { to: dealer.at("enquiries") });
  const mark = page.getByRole("navigation", { name: "Main" }).locator(".count");
  await eventually("the first look", async () => (await letPass(page, 4000), (await mark.textContent()).startsWith("1")));
  let failed = 0;
  await page.route(/status=NEW.*limit=1$/, (route) => (failed++, route.abort()));
  await send("Second");
  await eventually("a failed look", async () => (await letPass(page, 31_000), failed > 0));
  await page.unroute(/status=NEW.*limit=1$/);
  await eventually("the news", async () => (await letPass(page, 31_000), await page.getByText("1 new enquiry since you opened this page.").count()));
});
