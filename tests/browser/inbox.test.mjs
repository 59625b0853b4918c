// The list of enquiries with a message beside it, or in its place.
import assert from "node:assert/strict";
import { neighbour } from "../../nginx/www/dashboard/assets/neighbour.js";
import { random } from "../support/cases.mjs";
import { letter, withInbox } from "./inbox.mjs";
import { ask, base, test } from "./testing.mjs";
import { eventually, letPass } from "./visit.mjs";

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
  await send("Newer still", "This is Newer still.");
  await steps.getByRole("link", { name: "Previous" }).click();
  await letter(page, "Buyer 20");
  await steps.getByRole("link", { name: "Previous" }).click();
  await letter(page, "Buyer 19");
  await page.getByText("21 of 24", { exact: true }).waitFor();
  // The list of a page that was shown before is there at once, and so are the neighbours.
  await page.goBack();
  await letter(page, "Buyer 20");
  await page.getByText("22 of 24", { exact: true }).waitFor();
});

// A list of 21 with its last row of the first page open; what it asks for from now on waits for release().
async function atTheEdge(page, signIn) {
  const { dealer } = await withInbox(...numbered(21));
  await signIn(dealer, { to: dealer.at("enquiries") });
  await page.getByRole("link", { name: "Buyer 20", exact: true }).click();
  await letter(page, "Buyer 20");
  await page.getByText("20 of 21", { exact: true }).waitFor();
  let release, asked = 0;
  const released = new Promise((go) => (release = go));
  await page.route(/enquiries\?.*limit=20/, async (route) => {
    asked++;
    await released;
    await route.continue();
  });
  return { steps: page.getByRole("navigation", { name: "Enquiries in the list" }), asked: () => asked, release };
}

test("who goes elsewhere while the next page is read stays there", async ({ page, signIn }) => {
  const { steps, asked, release } = await atTheEdge(page, signIn);
  await steps.getByRole("link", { name: "Next" }).click();
  await eventually("the question", () => asked() === 1);
  await page.getByRole("link", { name: "Buyer 05", exact: true }).click();
  await letter(page, "Buyer 05");
  const answer = page.waitForResponse(/enquiries\?.*limit=20.*page=2/);
  release();
  await (await answer).finished();
  await steps.getByRole("link", { name: "Next" }).click();
  await letter(page, "Buyer 06");
});

test("next pressed twice while the next page is read is one step", async ({ page, signIn }) => {
  const { steps, asked, release } = await atTheEdge(page, signIn);
  for (const count of [1, 2]) {
    await steps.getByRole("link", { name: "Next" }).click();
    await eventually("the question", () => asked() === count);
  }
  release();
  await letter(page, "Buyer 21");
  await page.goBack();
  await letter(page, "Buyer 20");
});

test("a new enquiry is stepped from though the one before it no longer matches the filter", async ({ page, signIn }) => {
  const { dealer, send } = await withInbox("Ann", "Bob");
  await page.clock.install();
  await signIn(dealer, { to: dealer.at("enquiries?status=NEW") });
  await page.getByRole("link", { name: "Bob", exact: true }).click();
  await letter(page, "Bob");
  await letPass(page, 4000);
  await page.getByRole("navigation", { name: "Main" }).locator(".count").getByText("1", { exact: true }).waitFor();
  await send("Cid", "This is Cid.");
  await eventually("the news", async () => (await letPass(page, 31_000), await page.getByText("1 new enquiry since").count()));
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("link", { name: "Cid", exact: true }).click();
  await letter(page, "Cid");
  await page.getByText("1 of 2", { exact: true }).waitFor();
});

test("a deleted enquiry leaves the list, whose filter stays", async ({ page, signIn }) => {
  const { dealer } = await withInbox("Ann", "Bob");
  await signIn(dealer, { to: dealer.at("enquiries?type=GENERAL") });
  await page.getByRole("link", { name: "Ann", exact: true }).click();
  await letter(page, "Ann");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted.").waitFor();
  await page.getByText("1 enquiry", { exact: true }).waitFor();
  assert.deepEqual(await page.locator(".row-link").allTextContents(), ["Bob"]);
  assert.equal(page.url(), base + dealer.at("enquiries?type=GENERAL"));
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
});

test("the enquiry next to one is found in a list that has changed", async () => {
  const chance = random("lists of enquiries");
  const digit = (below) => Math.floor(chance() * below);
  const newest = (a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? 1 : -1);
  for (let round = 0; round < 3000; round++) {
    const all = Array.from({ length: digit(16) + 1 }, (_, id) => ({ id: String(id).padStart(2, "0"), createdAt: `2026-03-0${digit(9) + 1}` })).sort(newest);
    const open = all[digit(all.length)], list = all.filter(() => digit(3)), by = digit(2) ? 1 : -1, pages = Math.ceil(list.length / 3);
    const read = async (page) => ({ page, pages, enquiries: list.slice((page - 1) * 3, page * 3) });
    const beyond = list.filter((each) => each !== open && newest(each, open) * by > 0);
    const found = await neighbour(read, open, by, digit(6) + 1);
    assert.equal(found?.enquiry.id, (by > 0 ? beyond[0] : beyond.at(-1))?.id, JSON.stringify({ list, open, by }));
    if (found) assert.ok(found.data.enquiries.includes(found.enquiry));
  }
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
