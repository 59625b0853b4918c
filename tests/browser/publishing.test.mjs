// Events and posts: written, published at once or later, withdrawn, and seen by the public at the next request.
import assert from "node:assert/strict";
import { ask, call, makeDealer, test, tokenOf } from "./testing.mjs";
import { eventually } from "./visit.mjs";

const about = (page) => page.locator(".about");
const said = (page, text) => page.locator("#messages").getByText(text).first().waitFor();

test("an event is written, published, withdrawn and deleted", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const listed = async () => (await ask("GET", `/api/v1/events?organisationId=${dealer.organisation.id}`)).events.map((each) => each.title);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByRole("heading", { name: "No events yet" }).waitFor();
  await page.getByRole("link", { name: "Add an event" }).first().click();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("link", { name: "Begins" }).waitFor();
  assert.equal(await about(page).isVisible(), false);
  await page.getByLabel("Title").fill("Tractor sale");
  await page.getByLabel("Reference").fill("EV-1");
  await page.getByLabel("Begins").fill("2036-03-10T10:00");
  await page.getByLabel("Ends").fill("2036-03-10T09:00");
  await page.getByRole("button", { name: "Publish" }).click();
  // What readers need is asked for before anything is sent.
  await eventually("the city is marked", async () => (await page.getByLabel("Town or city").getAttribute("aria-invalid")) === "true");
  await page.getByLabel("Town or city").fill("Hull");
  await page.getByRole("textbox", { name: "Description" }).fill("Forty *tractors*.");
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.locator(".markdown em").waitFor();
  await page.getByRole("tab", { name: "Write" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("This is before “Begins”.").waitFor();
  await page.getByLabel("Ends").fill("2036-03-10T16:00");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await said(page, "Saved as a draft: nobody else sees it.");
  await about(page).getByText("Draft", { exact: true }).waitFor();
  assert.deepEqual(await listed(), []);

  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await said(page, "Published: readers see it now.");
  await about(page).getByText("Published", { exact: true }).waitFor();
  assert.deepEqual(await listed(), ["Tractor sale"]);
  const [event] = (await ask("GET", `/api/v1/events?organisationId=${dealer.organisation.id}`, { token })).events;
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const shown = await page.evaluate((time) => new Date(time).toLocaleString("sv-SE"), event.startsAt);
  assert.deepEqual([event.timezone, event.status, event.isOnline, shown], [zone, "SCHEDULED", false, "2036-03-10 10:00:00"]);

  await page.getByLabel("Status").selectOption("Cancelled");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await about(page).getByText("Cancelled", { exact: true }).waitFor();
  const { status, reference } = await ask("GET", `/api/v1/events/${event.slug}`);
  assert.deepEqual([status, reference], ["CANCELLED", "EV-1"]);
  await page.getByText("History", { exact: true }).click();
  await page.locator(".changes > li").first().getByText("Status: Scheduled → Cancelled").waitFor();

  // The city may go once it is online.
  await page.getByLabel("Town or city").fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Fill this in to publish, or tick “Online event”.").waitFor();
  await page.getByLabel("Online event").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await said(page, "Saved: readers see it now.");

  await page.getByRole("button", { name: "Back to draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Back to draft" }).click();
  await about(page).getByText("Draft", { exact: true }).waitFor();
  assert.deepEqual(await listed(), []);
  assert.equal((await call("GET", `/api/v1/events/${event.slug}`)).status, 404);

  await page.locator(".back").click();
  await page.getByRole("link", { name: "Draft", exact: true }).click();
  await page.getByRole("link", { name: "Tractor sale" }).waitFor();
  await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Published" }).click();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.getByLabel("Search in events").fill("tractors");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: "Tractor sale" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await said(page, "Deleted.");
  assert.equal((await call("GET", `/api/v1/events/${event.id}`, { token })).status, 404);
});

test("a post is published later, and at once by the service's clock", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const own = async () => (await ask("GET", `/api/v1/posts?organisationId=${dealer.organisation.id}`, { token })).posts[0];
  const isPublic = async () => (await call("GET", `/api/v1/posts/${(await own()).slug}`)).status === 200;
  await page.clock.setFixedTime(new Date(Date.now() + 2 * 3600_000));  // a browser that is two hours ahead
  await signIn(dealer, { to: dealer.at("posts") });
  await page.getByRole("link", { name: "Write a post" }).first().click();
  await page.getByLabel("Title").fill("Our new workshop");
  await page.getByLabel("Tags").fill(" Workshop, Electric ,, Workshop");
  await page.getByLabel("Publish on").fill("2036-03-10T10:00");
  await page.getByRole("button", { name: "Save as draft" }).click();
  // A date of publication alone does not do.
  await page.getByText("Fill this in to publish.", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Text" }).fill("It has **two** lifts.");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await about(page).getByText("From 10 Mar 2036, 10:00", { exact: true }).waitFor();
  await said(page, "Saved: readers see it from 10 Mar 2036");
  assert.deepEqual((await own()).tags, ["Workshop", "Electric"]);
  assert.equal(await page.getByLabel("Tags").inputValue(), "Workshop, Electric");
  assert.equal(await isPublic(), false);

  await page.getByRole("button", { name: "Publish now" }).click();
  await about(page).getByText("Published", { exact: true }).waitFor();
  assert.equal(await isPublic(), true);
  assert.ok(new Date((await own()).publishedAt) > Date.now() - 600_000);
  await page.locator(".back").click();
  await page.locator(".row-marks").getByText("Published", { exact: true }).waitFor();
  await page.getByText("Workshop · Electric").waitFor();
});

test("half a time withdraws nothing: it is told, asked about, and never kept as an empty one", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const publishedAt = "2026-01-31T09:00:00.000Z";
  const { id } = await ask("POST", "/api/v1/posts", { token, body: { title: "News", body: "There are some.", publishedAt } });
  await signIn(dealer, { to: dealer.at("posts", id) });
  await page.getByLabel("Publish on").focus();
  await page.keyboard.press("Backspace");
  assert.equal(await page.getByLabel("Publish on").inputValue(), "");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Is not whole, or there is no such day.").waitFor();
  await page.getByText("Not saved: look at the field that is marked.").waitFor();
  assert.equal((await ask("GET", `/api/v1/posts/${id}`, { token })).publishedAt, publishedAt);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft "))), []);
  await page.locator(".back").click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  // What is required is not called empty.
  await page.goto(new URL(dealer.at("events", "new"), page.url()).href);
  await page.getByLabel("Title").fill("Open day");
  await page.getByLabel("Begins").focus();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("Is not whole, or there is no such day.").waitFor();
});

test("half a time that is typed while a save is under way stays, and leaving asks about it", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const { id } = await ask("POST", "/api/v1/posts", { token, body: { title: "News", body: "There are some.", publishedAt: "2036-01-31T09:00:00.000Z" } });
  await signIn(dealer, { to: dealer.at("posts", id) });
  const field = page.getByLabel("Publish on");
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route("**/api/v1/posts/*", async (route) => (route.request().method() === "PATCH" && (await held), route.continue()));
  await page.getByLabel("Title").fill("More news");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await field.focus();
  await page.keyboard.press("Backspace");
  assert.equal(await field.inputValue(), "");
  go();
  await said(page, "Saved");
  assert.deepEqual([await field.inputValue(), await field.evaluate((node) => node.validity.badInput)], ["", true]);
  await page.locator(".back").click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
  await page.getByRole("link", { name: "More news" }).waitFor();
});

test("a member writes and publishes, and does not delete", async ({ page, signIn }) => {
  const dealer = await makeDealer({ role: "MEMBER" });
  const token = await tokenOf(dealer);
  const { id } = await ask("POST", "/api/v1/posts", { token, body: { title: "News", body: "There are some." } });
  await signIn(dealer, { to: dealer.at("posts", id) });
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await about(page).getByText("Published", { exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
});

test("what somebody else has changed in an event meanwhile is shown before it is lost", async ({ page, signIn, expect }) => {
  expect(412);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const { id } = await ask("POST", "/api/v1/events", { token, body: { title: "Open day", startsAt: "2036-05-09T09:00:30Z" } });
  await signIn(dealer, { to: dealer.at("events", id) });
  await page.getByLabel("Town or city").fill("York");
  await ask("PATCH", `/api/v1/events/${id}`, { token, body: { title: "Open days" } });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Title: now Open days").waitFor();
  await page.getByRole("button", { name: "Save mine over it" }).click();
  await said(page, "Saved");
  const now = await ask("GET", `/api/v1/events/${id}`, { token });
  // A moment that was not touched keeps its seconds.
  assert.deepEqual([now.title, now.city, now.startsAt], ["Open days", "York", "2036-05-09T09:00:30.000Z"]);
});

test("Publish keeps a later time that was typed", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const posts = async () => (await ask("GET", `/api/v1/posts?organisationId=${dealer.organisation.id}`, { token })).posts;
  await signIn(dealer, { to: dealer.at("posts", "new") });
  await page.getByLabel("Title").fill("Later");
  await page.getByRole("textbox", { name: "Text" }).fill("Words");
  await page.getByLabel("Publish on").fill("2036-03-10T10:00");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await said(page, "Saved: readers see it from 10 Mar 2036, 10:00 on.");
  assert.match((await posts())[0].publishedAt, /^2036-03-/);
  await page.getByRole("button", { name: "Publish now" }).click();
  await said(page, "Published: readers see it now.");
});
