// The programs of an organisation, and the scopes of tokens.
import assert from "node:assert/strict";
import { addMember, ask, base, call, makeDealer, makeUser, test, tokenOf } from "./testing.mjs";
import { loseAnswers } from "./visit.mjs";

const status = async (method, path, token) => (await call(method, path, { token })).status;

test("an administrator adds an integration, gives it a token with scopes, and deletes it", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByRole("link", { name: "Integrations" }).click();
  await page.getByRole("heading", { name: "No integrations yet" }).waitFor();
  await page.getByRole("button", { name: "Add an integration" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Nightly feed");
  await page.getByRole("button", { name: "Add it" }).click();
  await page.getByText("Nightly feed is added. It needs a token.").waitFor();

  await page.getByRole("button", { name: "Make a token for Nightly feed" }).click();
  await page.getByLabel("Name").fill("November");
  // All is what it begins with, and nothing is no choice.
  const all = page.getByLabel("Everything (full access)");
  await all.uncheck();
  await page.getByRole("button", { name: "Make it" }).click();
  await page.getByText("Tick at least one.").waitFor();
  await all.check();
  await page.getByLabel("Read stock", { exact: true }).check();
  assert.equal(await all.isChecked(), false);
  await page.getByLabel("Upload pictures and files").check();
  await page.getByRole("button", { name: "Make it" }).click();
  const value = await page.getByLabel("Token", { exact: true }).inputValue();
  await page.getByRole("button", { name: "I have copied it" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "November" });
  await row.getByText("Read stock, upload pictures and files").waitFor();
  assert.equal(await page.getByText(value).count(), 0);
  assert.equal(await status("GET", "/api/v1/stock", value), 200);
  assert.equal(await status("GET", "/api/v1/enquiries", value), 403);

  await page.getByRole("button", { name: "Make a token for Nightly feed" }).click();
  await page.getByLabel("Name").fill("December");
  await page.getByRole("button", { name: "Make it" }).click();
  const second = await page.getByLabel("Token", { exact: true }).inputValue();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText("Full access").waitFor();
  await page.getByRole("button", { name: /^Revoke November, made / }).click();
  await page.getByRole("dialog", { name: "Revoke November?" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Revoked: November.").waitFor();
  assert.equal(await status("GET", "/api/v1/stock", value), 401);
  assert.equal(await status("GET", "/api/v1/stock", second), 200);

  await page.getByRole("button", { name: "Delete Nightly feed" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nightly feed is deleted.").waitFor();
  await page.getByRole("heading", { name: "No integrations yet" }).waitFor();
  assert.equal(await status("GET", "/api/v1/stock", second), 401);
});

test("a member is told who manages integrations", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const member = await makeUser("Max Mechanic");
  await addMember(dealer.organisation, member, "MEMBER");
  await signIn(member, { to: dealer.at("integrations") });
  await page.getByText("Only administrators see and change them.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Add an integration" }).count(), 0);
});

test("a token of one's own may be limited, too", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: "/dashboard/settings/tokens" });
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("Name").fill("Reader");
  await page.getByLabel("Read enquiries", { exact: true }).check();
  await page.getByRole("button", { name: "Make it" }).click();
  const value = await page.getByLabel("Token", { exact: true }).inputValue();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("listitem").filter({ hasText: "Reader" }).getByText("Read enquiries").waitFor();
  assert.equal(await status("GET", "/api/v1/enquiries", value), 200);
  assert.equal(await status("GET", "/api/v1/stock", value), 403);
});

test("who makes tokens or webhooks finds the reference of the API", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("webhooks") });
  await page.getByRole("link", { name: "How webhooks work" }).click();
  await page.waitForURL(/\/docs\/webhooks$/);
  await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
  for (const to of [dealer.at("integrations"), "/dashboard/settings/tokens"]) {
    await page.goto(base + to);
    await page.getByRole("link", { name: "How programs use the API" }).click();
    await page.getByRole("heading", { name: "Tradepost API" }).waitFor();
  }
});

test("a new token is shown though the list cannot be read again", async ({ page, signIn, expect }) => {
  expect("ERR_FAILED");
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("integrations") });
  await page.getByRole("button", { name: "Add an integration" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Feed");
  await page.getByRole("button", { name: "Add it" }).click();
  await page.getByRole("button", { name: "Make a token for Feed" }).click();
  await page.getByLabel("Name").fill("November");
  await page.route("**/api/v1/accounts/integrations?*", (route) => route.abort());
  await page.getByRole("button", { name: "Make it" }).click();
  const value = await page.getByLabel("Token", { exact: true }).inputValue();
  assert.equal(await status("GET", "/api/v1/stock", value), 200);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText("There is no connection to the server.").waitFor();
});

test("an integration is added once when the answer gets lost and the button is pressed again", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("integrations") });
  await page.getByRole("button", { name: "Add an integration" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Feed");
  const { send, stop } = await loseAnswers(page, "POST");
  await dialog.getByRole("button", { name: "Add it" }).click();
  await send();
  await dialog.getByText("There is no connection to the server.").waitFor();
  await stop();
  await dialog.getByRole("button", { name: "Add it" }).click();
  await page.getByText("Feed is added.").waitFor();
  assert.equal((await ask("GET", "/api/v1/accounts/integrations", { token: await tokenOf(dealer) })).integrations.length, 1);
});
