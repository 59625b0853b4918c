// What was typed comes back after a crash, for its user and its record alone, and goes when it is saved or given up.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { addMember, ask, base, makeDealer, pdf, test, tokenOf, upload } from "./testing.mjs";
import { drawPicture, eventually } from "./visit.mjs";

const offer = (page) => page.getByRole("region", { name: "What you typed before" });
const use = (page) => offer(page).getByRole("button", { name: "Use what I typed" }).click();
const title = (page) => page.getByRole("textbox", { name: "Title", exact: true });
const kept = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft ")));

async function withItem({ page, signIn }) {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const made = await ask("POST", "/api/v1/stock", { token, body: { reference: "VAN-1", title: "Van", price: 100000, currency: "GBP" } });
  await signIn(dealer, { to: dealer.at("stock", made.id) });
  await title(page).waitFor();
  const item = () => ask("GET", `/api/v1/stock/${made.id}`, { token });
  const change = (body) => ask("PATCH", `/api/v1/stock/${made.id}`, { token, body });
  return { dealer, token, made, item, change };
}

// As after a crash: nothing is asked, and nothing of the page runs any more.
async function crash(page) {
  const address = page.url();
  const fresh = await page.context().newPage();
  await page.close({ runBeforeUnload: false });
  await fresh.goto(address);
  await fresh.getByRole("button", { name: /^Save/ }).waitFor();
  return fresh;
}

test("after a crash the form offers what was typed, with its time and what differs, until it is saved", async (visit) => {
  const { item } = await withItem(visit);
  await title(visit.page).fill("A better title");
  await visit.page.getByRole("textbox", { name: "Price" }).fill("99.999");
  await visit.page.getByLabel("Availability").selectOption("RESERVED");
  const page = await crash(visit.page);
  const text = (await offer(page).innerText()).replaceAll(/\s+/g, " ");
  assert.match(text, /^On \d+ \w+ \d{4}, \d\d:\d\d you typed something here that was not saved\. /);
  for (const part of ["Title: A better title instead of Van", "Price: 99.999 instead of 1000.00", "Availability: Reserved instead of In stock"]) assert.ok(text.includes(part), text);
  assert.ok(!text.includes("changed since"), text);
  assert.equal(await title(page).inputValue(), "Van");
  await use(page);
  assert.deepEqual([await title(page).inputValue(), await page.getByRole("textbox", { name: "Price" }).inputValue()], ["A better title", "99.999"]);
  assert.equal(await offer(page).count(), 0);
  await page.getByRole("textbox", { name: "Price" }).fill("99.99");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const now = await item();
  assert.deepEqual([now.title, now.price, now.availability], ["A better title", 9999, "RESERVED"]);
  assert.deepEqual(await kept(page), []);
});

test("an offer that is discarded does not come again, and typing before the decision loses nothing", async (visit) => {
  await withItem(visit);
  await title(visit.page).fill("First try");
  let page = await crash(visit.page);
  await page.getByLabel("Make").fill("Ford");
  page = await crash(page);
  const text = await offer(page).innerText();
  assert.ok(text.includes("Title: First try") && text.includes("Make: Ford"), text);
  await offer(page).getByRole("button", { name: "Discard it" }).click();
  page = await crash(page);
  assert.equal(await offer(page).count(), 0);
  // What is typed back to what it was is nothing to keep.
  await title(page).fill("Second try");
  assert.equal((await kept(page)).length, 1);
  await title(page).fill("Van");
  assert.deepEqual(await kept(page), []);
  // Who leaves without saving has said so.
  await title(page).fill("Third try");
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  assert.deepEqual(await kept(page), []);
});

test("the offer says when the record has been changed since, and to what", async (visit) => {
  const { change, item } = await withItem(visit);
  await title(visit.page).fill("Mine");
  await visit.page.getByLabel("Model").fill("Transit");
  await change({ title: "Theirs", make: "Ford" });
  const page = await crash(visit.page);
  const text = (await offer(page).innerText()).replaceAll(/\s+/g, " ");
  assert.ok(text.includes("The record has been changed since."), text);
  assert.ok(text.includes("Title: Mine – changed since, to Theirs"), text);
  await use(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const now = await item();
  assert.deepEqual([now.title, now.make, now.model], ["Mine", "Ford", "Transit"]);
});

test("a new record, a job and the organisation have drafts, each of its own", async (visit) => {
  const { dealer, token } = await withItem(visit);
  const job = await ask("POST", "/api/v1/jobs", { token, body: { title: "Mechanic" } });
  let page = visit.page;
  for (const [path, label, value] of [[dealer.at("stock", "new"), "Title", "New van"], [dealer.at("jobs", "new"), "Title", "New job"],
    [dealer.at("jobs", job.id), "Town or city", "Leeds"], [dealer.at("organisation"), "Phone", "0113 496 0001"]]) {
    await page.goto(base + path);
    await page.getByRole("textbox", { name: label, exact: true }).fill(value);
    page = await crash(page);
    assert.ok((await offer(page).innerText()).includes(`${label}: ${value}`));
  }
  assert.equal((await kept(page)).length, 4);
  await page.goto(base + dealer.at("stock", "new"));
  await use(page);
  await page.getByLabel("Reference").fill("N-1");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("heading", { level: 1, name: "New van" }).waitFor();
  assert.equal((await kept(page)).length, 3);
  // The page has the new record's address now, and keeps its draft there.
  await page.getByLabel("Make").fill("Ford");
  page = await crash(page);
  assert.ok((await offer(page).innerText()).includes("Make: Ford"));
});

test("a draft tells of pictures without their ids", async (visit) => {
  const { dealer, token } = await withItem(visit);
  const picture = await upload(token, dealer.organisation, (await drawPicture(visit.page, { width: 300, height: 300 })).buffer);
  await ask("PATCH", `/api/v1/accounts?organisationId=${dealer.organisation.id}`, { token, body: { logoUploadId: picture.id } });
  await visit.page.goto(base + dealer.at("organisation"));
  await visit.page.getByRole("button", { name: "Remove" }).click();
  const page = await crash(visit.page);
  await offer(page).getByText("Logo: none instead of a picture", { exact: true }).waitFor();
});

test("pictures, documents and details that were added come back, too", async (visit) => {
  const { item } = await withItem(visit);
  const { page: first } = visit;
  await first.getByLabel("Choose pictures").setInputFiles([await drawPicture(first)]);
  await first.getByLabel("Choose PDFs").setInputFiles([{ name: "manual.pdf", mimeType: "application/pdf", buffer: pdf }]);
  await first.getByLabel("Title of manual.pdf").fill("Manual");
  await first.getByRole("button", { name: "Add a row" }).click();
  await first.getByLabel("Name", { exact: true }).fill("Colour");
  await first.getByLabel("Value").fill("white");
  await eventually("both files are there", async () => (await first.locator("main progress").count()) === 0 && (await first.locator(".document-file a").count()) === 1);
  const page = await crash(first);
  await use(page);
  await page.locator(".picture img").waitFor();
  await page.getByRole("link", { name: "manual.pdf" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const now = await item();
  assert.deepEqual([now.images.length, now.documents.map((each) => each.title), now.attributes], [1, ["Manual"], { Colour: "white" }]);
});

test("a draft is its user's and its organisation's, ends after 7 days, and sign-out takes all of them", async (visit) => {
  const { dealer, made } = await withItem(visit);
  const other = await makeDealer();
  await addMember(dealer.organisation, other, "MEMBER");
  await title(visit.page).fill("Private");
  let page = await crash(visit.page);
  await offer(page).waitFor();
  await page.context().clearCookies();
  await visit.signIn(other, { page, to: dealer.at("stock", made.id) });
  await title(page).waitFor();
  assert.equal(await offer(page).count(), 0);
  await page.context().clearCookies();
  await visit.signIn(dealer, { page, to: dealer.at("stock", made.id) });
  await offer(page).waitFor();
  // Seven days later.
  const age = (days) => page.evaluate((ms) => {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith("draft "))) {
      const draft = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...draft, at: draft.at - ms }));
    }
  }, days * 24 * 3600_000);
  await age(6.9);
  page = await crash(page);
  await offer(page).waitFor();
  await age(0.2);
  page = await crash(page);
  assert.equal(await offer(page).count(), 0);
  assert.deepEqual(await kept(page), []);
  // Another tab that is still open keeps nothing after the sign-out.
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await title(tab).fill("In the other tab");
  assert.equal((await kept(tab)).length, 1);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Email").waitFor();
  assert.deepEqual(await kept(page), []);
  await eventually("the other tab knows", async () => (await kept(tab)).length === 0);
  await title(tab).fill("In the other tab, later");
  assert.deepEqual(await kept(tab), []);
});

test("passwords, tokens and codes are never kept", async (visit) => {
  const { page } = visit;
  await withItem(visit);
  // The modules as they are written: what is served is one script.
  const source = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  await page.route("**/sources/*.js", (route) => route.fulfill({ path: source(`nginx/www/dashboard/assets/${basename(route.request().url())}`), contentType: "text/javascript" }));
  // Files of other kinds are texts.
  await page.route("**/fields/*.inc", (route) => route.fulfill({ body: `export default ${JSON.stringify(readFileSync(source(`fcgi-app/fields/${basename(route.request().url())}`), "utf8"))}`, contentType: "text/javascript" }));
  const stored = await page.evaluate(async () => {
    const { textField } = await import("/sources/fields.js");
    const { editor } = await import("/sources/editor.js");
    const controls = [textField({ name: "plain", label: "Plain" }), textField({ name: "a", label: "A", type: "password" }),
      textField({ name: "b", label: "B", autocomplete: "new-password" }), textField({ name: "c", label: "C", autocomplete: "one-time-code" })];
    const all = document.createElement("div");
    all.append(...controls.map((each) => each.node));
    const { node } = await editor({ controls, content: [all], record: null, buttons: () => [{ label: "Save" }] });
    document.querySelector("main").append(node);
    for (const { input, name } of controls) {
      input.value = `typed ${name}`;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    node.remove();
    return Object.entries(localStorage).filter(([key]) => key.startsWith("draft ")).map(([, text]) => JSON.parse(text).fields);
  });
  assert.deepEqual(stored, [{ plain: { was: null, value: "typed plain" } }]);
});

test("a draft of a copy is offered to no other copy and to no empty form", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const add = (reference) => ask("POST", "/api/v1/stock", { token, body: { reference, title: `Van ${reference}` } });
  const [one, two] = [await add("A"), await add("B")];
  await signIn(dealer, { to: dealer.at("stock", `new?copy=${one.id}`) });
  await page.getByLabel("Reference").fill("A-2");
  await eventually("the draft", async () => (await kept(page)).length === 1);
  const current = await crash(page);
  await offer(current).waitFor();
  for (const place of [`new?copy=${two.id}`, "new"]) {
    await current.goto(base + dealer.at("stock", place));
    await current.getByRole("button", { name: "Save as draft" }).waitFor();
    assert.equal(await offer(current).count(), 0, place);
  }
});

test("who signs in again in a tab whose session another one ended has drafts again", async ({ page, context, signIn }) => {
  const dealer = await makeDealer();
  const { id } = await ask("POST", "/api/v1/stock", { token: await tokenOf(dealer), body: { reference: "VAN-1", title: "Van" } });
  await signIn(dealer, { to: dealer.at("overview") });
  await page.evaluate(() => (window.same = true));
  const other = await context.newPage();
  await other.goto(base + dealer.at("stock"));
  await other.getByRole("button", { name: /^Account/ }).click();
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.getByLabel("Email").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Stock", exact: true }).click();
  await page.getByLabel("Email").fill(dealer.email);
  await page.getByLabel("Password").fill(dealer.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Van", exact: true }).click();
  await title(page).fill("A better van");
  await eventually("the draft", async () => (await kept(page)).length === 1);
  assert.ok(await page.evaluate(() => window.same), `${id} was shown by a new document`);
});
