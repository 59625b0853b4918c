// Somebody else signs in in the same browser while a page of the first user is still open.
import assert from "node:assert/strict";
import { addMember, ask, base, makeDealer, makeUser, test, tokenOf } from "./testing.mjs";
import { action, pending } from "./stocked.mjs";
import { eventually } from "./visit.mjs";

const profile = "/dashboard/settings/profile";
const names = async (...users) => Promise.all(users.map(async (user) => (await ask("GET", "/api/v1/me", { token: await tokenOf(user) })).name));

// The first one's name, typed and not saved.
async function typed({ page, signIn }) {
  const first = await makeDealer(), second = await makeUser("Sally Second");
  await addMember(first.organisation, second);
  await signIn(first, { to: profile });
  await page.getByLabel("Name", { exact: true }).fill("Felix First");
  return { first, second };
}

test("what one user typed is not saved as another, who signed in in another tab", async (visit) => {
  const { page, context, signIn } = visit;
  visit.expect(403);
  const { first, second } = await typed(visit);
  const [before, other] = await names(first, second);
  const tab = await context.newPage();
  await context.clearCookies();
  await signIn(second, { page: tab, to: profile });
  const asked = [];
  page.on("request", (request) => request.method() === "PATCH" && asked.push(request.url()));
  let left = 0;
  page.on("dialog", (dialog) => (left++, dialog.dismiss()));
  await page.getByRole("button", { name: "Save" }).first().click();
  await eventually("the page wants to be loaded again", () => left > 0);
  // The user stays, and tries again.
  await page.getByRole("button", { name: "Save" }).first().click();
  await eventually("it is refused again", () => asked.length === 2);
  assert.deepEqual(await names(first, second), [before, other]);
});

test("what one user typed is not saved as another, who signs in over the page", async (visit) => {
  const { page, context } = visit;
  visit.expect(401, 403);
  const { first, second } = await typed(visit);
  const before = await names(first, second);
  await context.clearCookies();
  await page.getByRole("button", { name: "Save" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Email").fill(second.email);
  await dialog.getByLabel("Password").fill(second.password);
  const asked = [];
  page.on("request", (request) => request.method() === "PATCH" && asked.push(request.url()));
  let left = 0;
  page.on("dialog", (asks) => (left++, asks.accept()));
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await eventually("it is the other user's page", async () => (await page.getByLabel("Name", { exact: true }).inputValue()) === second.name);
  assert.deepEqual([asked, await names(first, second)], [[], before]);
});

test("a change of jobs that waits is not made by another user, who signs in over the page", async (visit) => {
  const { page, context, signIn } = visit;
  visit.expect(404);
  const first = await makeDealer(), second = await makeUser("Sally Second");
  await addMember(first.organisation, second);
  const token = await tokenOf(first);
  const { id } = await ask("POST", "/api/v1/jobs", { token, body: { title: "Mechanic" } });
  await signIn(first, { to: first.at("jobs") });
  await page.getByLabel("Select Mechanic").check();
  await action(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 job" }).click();
  await context.clearCookies();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  const offered = await dialog.getByLabel("Email").inputValue();
  await dialog.getByLabel("Email").fill(second.email);
  await dialog.getByLabel("Password").fill(second.password);
  const asked = [];
  page.on("request", (request) => request.method() === "DELETE" && asked.push(request.url()));
  page.on("dialog", (asks) => asks.accept());
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Account: Sally Second" }).waitFor();
  await page.getByLabel("Select Mechanic").waitFor();
  assert.deepEqual([offered, asked, (await ask("GET", `/api/v1/jobs/${id}`, { token })).title], [first.email, [], "Mechanic"]);
});

test("signing out ends the session that another tab has begun since", async ({ page, context, signIn, expect }) => {
  expect(403);
  const dealer = await makeDealer();
  await signIn(dealer, { to: profile });
  const tab = await context.newPage();
  await signIn(dealer, { page: tab, to: profile });
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await tab.goto(base + profile);
  await tab.getByRole("heading", { name: "Sign in" }).waitFor();
});
