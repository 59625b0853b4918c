// Settings: sessions, two-step sign-in, and the password once more.
import assert from "node:assert/strict";
import { base, call, makeDealer, test } from "./testing.mjs";
import { codeOf } from "./totp.mjs";
import { loseAnswers } from "./visit.mjs";

const secondStep = "/dashboard/settings/second-factor";

// Sets it up; the key and the recovery codes.
async function setUp(page) {
  await page.getByRole("button", { name: "Set it up" }).click();
  const key = await page.getByLabel("Or type this key", { exact: true }).inputValue();
  await page.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.name), "code");
  const step = Math.floor(Date.now() / 30_000);
  await page.getByLabel("The code that your app shows").fill("000000");
  await page.getByRole("button", { name: "Switch it on" }).click();
  await page.getByText("This is not right.").waitFor();
  await page.getByLabel("The code that your app shows").fill(codeOf(key, step));
  await page.getByRole("button", { name: "Switch it on" }).click();
  const codes = (await page.getByLabel("Recovery codes", { exact: true }).inputValue()).split("\n");
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("From now on signing in takes a code of your app.").waitFor();
  return { key, step, codes };
}

async function fillSignIn(page, dealer) {
  await page.getByLabel("Email").fill(dealer.email);
  await page.getByLabel("Password").fill(dealer.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("two-step sign-in is set up, asked for at sign-in, and switched off", async ({ page, context, open, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  await signIn(dealer, { to: secondStep });
  const { key, step, codes } = await setUp(page);
  assert.equal(codes.length, 10);
  await page.getByText("10 recovery codes left.").waitFor();
  assert.equal((await call("POST", "/api/v1/auth", { body: { email: dealer.email, password: dealer.password } })).error, "Code required");

  await context.clearCookies();
  await page.goto(`${base}${secondStep}`);
  await fillSignIn(page, dealer);
  const code = page.getByLabel("Code", { exact: true });
  await code.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.name), "code");
  await code.fill(codeOf(key, step));  // was used
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Is wrong, or was used before. Take the next one.").waitFor();
  await code.fill(codeOf(key, step + 1));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("10 recovery codes left.").waitFor();

  const other = await open();
  await other.goto(`${base}${secondStep}`);
  await fillSignIn(other, dealer);
  await other.getByLabel("Code", { exact: true }).fill(codes[0].toUpperCase().replaceAll("-", " "));
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByText("9 recovery codes left.").waitFor();

  await page.getByRole("button", { name: "Make new recovery codes" }).click();
  const renewed = (await page.getByLabel("Recovery codes", { exact: true }).inputValue()).split("\n");
  assert.ok(!renewed.some((each) => codes.includes(each)));
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("The old recovery codes no longer work.").waitFor();

  await page.getByRole("button", { name: "Switch it off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch it off" }).click();
  await page.getByText("Signing in takes your password only.").waitFor();
  assert.equal((await call("POST", "/api/v1/auth", { body: { email: dealer.email, password: dealer.password } })).status, 200);
});

test("an organisation requires it of its administrators", async ({ page, open, signIn, expect }) => {
  expect(400, 409);
  const dealer = await makeDealer();
  const colleague = await makeDealer({ organisation: dealer.organisation });
  await signIn(dealer, { to: secondStep });
  const required = page.getByLabel(`Administrators of ${dealer.organisation.name} must use two steps`);
  await required.click();
  await page.getByText("Set up your own two-step sign-in first.").waitFor();
  assert.ok(!(await required.isChecked()));
  await setUp(page);
  await required.check();
  await page.getByText(`Administrators of ${dealer.organisation.name} must use two steps now.`).waitFor();

  const theirs = await signIn(colleague, { page: await open(), to: secondStep });
  await theirs.getByText(`Administrators of ${dealer.organisation.name} must use two steps. Until you set this up`).waitFor();
  await setUp(theirs);
  await theirs.getByText("On", { exact: true }).waitFor();
  await theirs.getByRole("button", { name: "Switch it off" }).click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Switch it off" }).click();
  await theirs.getByText(`Administrators of ${dealer.organisation.name} must use two steps.`).waitFor();
});

test("sessions are listed and ended", async ({ page, open, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: "/dashboard/settings/sessions" });
  await page.getByRole("heading", { name: /^(Chrome|Firefox) on / }).waitFor();
  await page.getByText("This one").waitFor();
  assert.equal(await page.getByRole("button", { name: "End all others" }).count(), 0);
  const second = await signIn(dealer, { page: await open() });
  const third = await signIn(dealer, { page: await open() });
  await page.reload();
  const ends = page.getByRole("button", { name: /^End (Chrome|Firefox) on / });
  await ends.first().click();
  await page.getByText("The session has ended.").waitFor();
  assert.equal(await ends.count(), 1);
  await page.getByRole("button", { name: "End all others" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End them" }).click();
  await page.getByText("All other sessions have ended.").waitFor();
  assert.equal(await ends.count(), 0);
  for (const gone of [second, third]) {
    await gone.getByRole("link", { name: "Stock", exact: true }).click();
    await gone.getByRole("heading", { name: "Sign in" }).waitFor();
  }
});

test("a token takes the password again when it was typed long ago", async ({ page, signIn, expect }) => {
  expect(400, 403);
  const dealer = await makeDealer();
  await signIn(dealer, { to: "/dashboard/settings/tokens" });
  // The answer of a session that is 15 minutes old: its rule is tested with the API.
  let refused = 0;
  await page.route("**/dashboard/api/tokens", (route) => route.request().method() === "POST" && ++refused <= 2
    ? route.fulfill({ status: 403, json: { error: "Password confirmation required" } }) : route.continue());
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("Name").fill("Nightly feed");
  await page.getByRole("button", { name: "Make it" }).click();
  const dialog = page.getByRole("dialog", { name: "Type your password" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("This needs your password once more.").waitFor();
  await page.getByRole("button", { name: "Make it" }).click();
  await dialog.getByLabel("Password").fill("not this one");
  await dialog.getByRole("button", { name: "Go on" }).click();
  await dialog.getByText("This is not right.").waitFor();
  await dialog.getByLabel("Password").fill(dealer.password);
  await dialog.getByRole("button", { name: "Go on" }).click();
  assert.match(await page.getByLabel("Token", { exact: true }).inputValue(), /^[0-9a-f]{64}$/);
});

test("while it is switched on the dialog cannot be left, and when the answer is lost the page says so", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: secondStep });
  await page.getByRole("button", { name: "Set it up" }).click();
  const key = await page.getByLabel("Or type this key", { exact: true }).inputValue();
  const { send } = await loseAnswers(page, "PUT");
  await page.getByLabel("The code that your app shows").fill(codeOf(key, Math.floor(Date.now() / 30_000)));
  await page.getByRole("button", { name: "Switch it on" }).click();
  assert.equal(await page.getByRole("button", { name: "Cancel" }).isDisabled(), true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 1);
  await send();
  await page.getByRole("dialog").getByText("There is no connection to the server.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("It is on, but its recovery codes did not arrive. Make new ones.").waitFor();
  await page.getByText("10 recovery codes left.").waitFor();
});

test("set up is begun once when its button is pressed twice", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: secondStep });
  const began = [];
  page.on("request", (request) => request.method() === "POST" && began.push(request.url()));
  await page.getByRole("button", { name: "Set it up" }).evaluate((button) => (button.click(), button.click()));
  await page.getByRole("dialog").waitFor();
  assert.deepEqual([began.length, await page.getByRole("dialog").count()], [1, 1]);
});

test("a step that was done is told, though how it is now cannot be read", async ({ page, signIn, expect }) => {
  expect(400, "ERR_FAILED");
  const dealer = await makeDealer();
  await signIn(dealer, { to: secondStep });
  await setUp(page);
  await page.getByText("10 recovery codes left.").waitFor();
  for (const path of ["second-factor", "session"]) await page.route(`**/dashboard/api/${path}`, (route) => route.request().method() === "GET" ? route.abort() : route.continue());
  await page.getByRole("button", { name: "Switch it off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch it off" }).click();
  await page.getByText("Signing in takes your password only.").waitFor();
  await page.getByText("There is no connection to the server.").waitFor();
  assert.equal(await page.getByText("On", { exact: true }).count(), 0);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Set it up" }).waitFor();
});
