// Webhooks: their secret is shown once, and what came of a message is seen. That messages arrive is tested with a receiver (tests/webhooks).
import assert from "node:assert/strict";
import { ask, makeDealer, test, tokenOf } from "./testing.mjs";
import { loseAnswers } from "./visit.mjs";

test("an administrator creates a webhook, tests it, changes it and deletes it", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("https://127.0.0.1:9/hook");
  await dialog.getByRole("button", { name: "Add it" }).click();
  await dialog.getByText("Tick at least one").waitFor();
  await dialog.getByLabel("Changes to stock").check();
  await dialog.getByRole("button", { name: "Add it" }).click();
  const secret = await dialog.getByLabel("Secret", { exact: true }).inputValue();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText("On · Changes to stock").waitFor();
  assert.ok(!(await page.content()).includes(secret));

  // The address is one of this host, which is not reached.
  await page.getByRole("button", { name: "Test: https://127.0.0.1:9/hook" }).click();
  await dialog.getByText("the address is not a public one").waitFor();
  await dialog.getByText("1 message to be sent.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByText(/Failing since/).waitFor();

  await page.getByRole("button", { name: "Change: https://127.0.0.1:9/hook" }).click();
  await dialog.getByLabel("Changes to stock").uncheck();
  await dialog.getByLabel("New enquiries").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("The webhook is changed.").waitFor();
  await page.getByText("· New enquiries").waitFor();

  await page.getByRole("button", { name: "New secret: https://127.0.0.1:9/hook" }).click();
  await dialog.getByRole("button", { name: "Make it" }).click();
  const second = await dialog.getByLabel("Secret", { exact: true }).inputValue();
  assert.match(second, /^whsec_/);
  assert.notEqual(second, secret);
  await dialog.getByRole("button", { name: "I have copied it" }).click();

  await page.getByRole("button", { name: "Switch off: https://127.0.0.1:9/hook" }).click();
  await page.getByRole("button", { name: "Switch on: https://127.0.0.1:9/hook" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Test:/ }).count(), 0);
  await page.getByRole("button", { name: "Delete: https://127.0.0.1:9/hook" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  const token = await tokenOf(dealer);
  assert.deepEqual((await ask("GET", "/api/v1/webhooks", { token })).webhooks, []);
});

test("a member sees no webhooks", async ({ page, signIn }) => {
  const dealer = await makeDealer({ role: "MEMBER" });
  await signIn(dealer, { to: dealer.at("webhooks") });
  await page.getByText("Only administrators see and change webhooks.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Add a webhook" }).count(), 0);
});

test("a new webhook's secret is shown though the list cannot be read again", async ({ page, signIn, expect }) => {
  expect("ERR_FAILED");
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("webhooks") });
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await page.route("**/api/v1/webhooks?*", (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("https://127.0.0.1:9/hook");
  await dialog.getByLabel("Changes to stock").check();
  await dialog.getByRole("button", { name: "Add it" }).click();
  assert.match(await dialog.getByLabel("Secret", { exact: true }).inputValue(), /^whsec_/);
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText("There is no connection to the server.").waitFor();
});

test("a webhook is added once when the answer gets lost and the button is pressed again", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("webhooks") });
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("https://127.0.0.1:9/hook");
  await dialog.getByLabel("New enquiries").check();
  const { send, stop } = await loseAnswers(page, "POST");
  await dialog.getByRole("button", { name: "Add it" }).click();
  await send();
  await dialog.getByText("There is no connection to the server.").waitFor();
  await stop();
  await dialog.getByRole("button", { name: "Add it" }).click();
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  assert.equal((await ask("GET", "/api/v1/webhooks", { token: await tokenOf(dealer) })).webhooks.length, 1);
});
