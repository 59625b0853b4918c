// Enquiries: the inbox that notices what is new, and one enquiry.
import assert from "node:assert/strict";
import { ask, makeDealer, makeUser, test, tokenOf, upload } from "./testing.mjs";
import { drawPicture, eventually } from "./visit.mjs";

async function withMail() {
  const dealer = await makeDealer();
  const [token, buyer] = [await tokenOf(dealer), await tokenOf(await makeUser("Sam Solo"))];
  const send = (name, message = "Is it still there?") =>
    ask("POST", "/api/v1/enquiries", { token: buyer, body: { organisationId: dealer.organisation.id, name, email: "sam@example.com", message } });
  const read = (id) => ask("GET", `/api/v1/enquiries/${id}`, { token });
  return { dealer, token, send, read };
}

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
    await eventually("a poll", async () => (await page.clock.runFor(31_000), polls.length > before));
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
  await page.getByText("1 new enquiry since you opened this page.").waitFor();
  assert.equal(await page.getByRole("link", { name: "Second" }).count(), 0);
});

test("a forgotten tab stops asking, so that its session can end", async ({ page, signIn }) => {
  const { dealer, send } = await withMail();
  await send("First");
  await page.clock.install();
  let polls = 0;
  page.on("request", (request) => (polls += request.url().includes("updatedSince=") ? 1 : 0));
  await signIn(dealer, { to: dealer.at("enquiries") });
  await eventually("a poll", async () => (await page.clock.runFor(31_000), polls > 1));
  await page.clock.fastForward(5 * 3600_000);
  const before = polls;
  for (let i = 0; i < 4; i++) {
    await page.clock.runFor(31_000);
    // What was asked before this has been answered after it.
    await page.evaluate(() => fetch("/api/v1/enquiries").then((answer) => answer.text()));
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

// An inbox with these messages, the last one sent first in the list.
async function withInbox(...names) {
  const all = await withMail();
  const sent = {};
  for (const name of names) sent[name] = (await all.send(name, `This is ${name}.`)).id;
  return { ...all, sent };
}

const letter = (page, name) => page.locator(".letter").getByText(`This is ${name}.`).waitFor();

test("where there is room the message stands beside the list, under an address of its own", async ({ page, signIn }) => {
  const { dealer, sent } = await withInbox("Ann", "Bob", "Cid");
  await signIn(dealer, { to: dealer.at("enquiries?type=GENERAL") });
  const row = (name) => page.getByRole("link", { name, exact: true });
  await page.getByText("Choose an enquiry to read it here.").waitFor();
  assert.equal(await page.locator("a:not([href])").count(), 0);
  await eventually("three unread", async () => (await page.locator(".unread").count()) === 3);
  await row("Bob").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Ann");
  await page.keyboard.press("ArrowUp");
  const requests = [];
  page.on("request", (request) => /enquiries\?.*type=GENERAL/.test(request.url()) && requests.push(request.url()));
  await page.keyboard.press("Enter");
  await letter(page, "Bob");
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, `/dashboard/o/${dealer.organisation.slug}/enquiries/${sent.Bob}?type=GENERAL`);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
  assert.equal(await row("Bob").getAttribute("aria-current"), "true");
  // It is read now, in its row too.
  await eventually("two unread", async () => (await page.locator(".unread").count()) === 2);
  await page.getByText("2 of 3").waitFor();
  await page.getByRole("link", { name: "Next" }).click();
  await letter(page, "Ann");
  await page.getByRole("heading", { level: 1, name: "Enquiry from Ann" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Next" }).count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
  await page.getByRole("link", { name: "Previous" }).click();
  await letter(page, "Bob");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Previous");
  await page.goBack();
  await letter(page, "Ann");
  await page.goBack();
  await page.goBack();
  await page.getByText("Choose an enquiry to read it here.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Bob");
  assert.match(await page.title(), /Enquiries – Tradepost$/);
  // The list was there all the time.
  assert.deepEqual(requests, []);
  await page.goto(page.url().replace("?", `/${sent.Cid}?`));
  await letter(page, "Cid");
  await row("Ann").waitFor();
});

const numbered = (count) => Array.from({ length: count }, (_, i) => `Buyer ${String(count - i).padStart(2, "0")}`);  // 01 is the first in the list

test("next and previous go on over the pages of the list", async ({ page, signIn }) => {
  const { dealer, send } = await withInbox(...numbered(22));
  await signIn(dealer, { to: dealer.at("enquiries") });
  await page.getByRole("link", { name: "Buyer 20", exact: true }).click();
  await letter(page, "Buyer 20");
  await page.getByText("20 of 22", { exact: true }).waitFor();
  const steps = page.getByRole("navigation", { name: "Enquiries in the list" });
  await page.getByLabel("Note").fill("Called twice.");
  await steps.getByRole("link", { name: "Next" }).click();
  await page.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByText("20 of 22", { exact: true }).waitFor();
  await steps.getByRole("link", { name: "Next" }).click();
  await letter(page, "Buyer 21");
  await page.getByText("21 of 22", { exact: true }).waitFor();
  assert.equal(new URL(page.url()).search, "?page=2");
  await page.getByRole("link", { name: "Buyer 22", exact: true }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Buyer 20", exact: true }).count(), 0);
  await steps.getByRole("link", { name: "Next" }).click();
  await letter(page, "Buyer 22");
  assert.equal(await steps.getByRole("link", { name: "Next" }).count(), 0);
  await steps.getByRole("link", { name: "Previous" }).click();
  await letter(page, "Buyer 21");
  await steps.getByRole("link", { name: "Previous" }).click();
  await letter(page, "Buyer 20");
  assert.equal(new URL(page.url()).search, "");
  // What arrives moves the others down.
  await send("Newest", "This is Newest.");
  await steps.getByRole("link", { name: "Next" }).click();
  await letter(page, "Buyer 21");
  await page.getByText("22 of 23", { exact: true }).waitFor();
});

test("next leaves out nothing when what was read no longer matches the filter", async ({ page, signIn }) => {
  const { dealer, token, sent } = await withInbox(...numbered(22));
  await signIn(dealer, { to: dealer.at("enquiries?status=NEW") });
  await page.getByRole("link", { name: "Buyer 20", exact: true }).click();
  await letter(page, "Buyer 20");
  for (const name of numbered(22).slice(3)) {
    await ask("PATCH", `/api/v1/enquiries/${sent[name]}`, { token, body: { status: "READ" } });
  }
  // The list beside the message comes when that has been read.
  let lists = 0;
  const read = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.route(/enquiries\?.*status=NEW.*limit=20/, async (route) => {
    if (++lists === 2) await read;
    await route.continue();
  });
  const steps = page.getByRole("navigation", { name: "Enquiries in the list" });
  await steps.getByRole("link", { name: "Next" }).click();
  await letter(page, "Buyer 21");
  await eventually("the list without it", async () => (await page.locator(".row-item").count()) === 1);
  await steps.getByRole("link", { name: "Next" }).click();
  await letter(page, "Buyer 22");
  assert.equal(await steps.getByRole("link", { name: "Next" }).count(), 0);
});

test("on a narrow screen the message takes the list's place, and Back returns to it", async ({ open, signIn }) => {
  const page = await open({ viewport: { width: 360, height: 740 } });
  const { dealer } = await withInbox("Ann", "Bob");
  await signIn(dealer, { page, to: dealer.at("enquiries") });
  await page.getByRole("link", { name: "Ann", exact: true }).click();
  await letter(page, "Ann");
  assert.equal(await page.getByRole("link", { name: "Bob", exact: true }).count(), 0);
  await page.getByRole("link", { name: "Previous" }).click();
  await letter(page, "Bob");
  const reply = page.getByRole("link", { name: "Reply by email" });
  for (const place of [0, 5000]) {
    await page.evaluate((y) => scrollTo(0, y), place);
    await eventually("the reply button in view", () => reply.evaluate((node) => { const { top, bottom } = node.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }));
  }
  await page.goBack();
  await letter(page, "Ann");
  await page.goBack();
  await page.getByRole("link", { name: "Bob", exact: true }).waitFor();
  assert.equal(await page.locator(".letter").count(), 0);
});

test("a note that is not saved is asked about before the next message", async ({ page, signIn }) => {
  const { dealer } = await withInbox("Ann", "Bob");
  await signIn(dealer, { to: dealer.at("enquiries") });
  await page.getByRole("link", { name: "Ann", exact: true }).click();
  await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "New 1" }).waitFor();
  await page.getByLabel("Note").fill("Rang");
  await page.getByRole("link", { name: "Bob", exact: true }).click();
  await page.getByRole("button", { name: "Stay" }).click();
  assert.equal(await page.getByLabel("Note").inputValue(), "Rang");
  await page.getByRole("link", { name: "Bob", exact: true }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await letter(page, "Bob");
  await page.getByLabel("Note").fill("Wrote");
  await page.goBack();
  await page.getByRole("button", { name: "Leave" }).waitFor();
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
