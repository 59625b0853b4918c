// Settings: API tokens and the password.
import assert from "node:assert/strict";
import { base, call, ctl, makeDealer, test, tokenOf } from "./testing.mjs";
import { eventually } from "./visit.mjs";

const works = async (token) => (await call("GET", "/api/v1/me", { token })).status === 200;
const tokens = "/dashboard/settings/tokens";

async function mint(page, name) {
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Make it" }).click();
  return page.getByLabel("Token", { exact: true }).inputValue();
}

test("a token is made, shown once with a line to try it, copied, used and revoked", async ({ page, allow, signIn }) => {
  const dealer = await makeDealer();
  await allow("clipboard-read", "clipboard-write");
  await signIn(dealer, { to: tokens });
  await page.getByRole("heading", { name: "No tokens yet" }).waitFor();
  const value = await mint(page, "Nightly feed");
  assert.match(value, /^[0-9a-f]{64}$/);
  await page.getByRole("button", { name: "Copy: Token" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), value);
  assert.equal(await page.getByLabel("Try it", { exact: true }).inputValue(), `curl ${base}/api/v1/me -H 'Authorization: Bearer ${value}'`);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByLabel("Token", { exact: true }).waitFor({ state: "detached" });
  const row = page.getByRole("listitem").filter({ hasText: "Nightly feed" });
  assert.match(await row.textContent(), /Full access.*Last usedNever/);
  assert.ok(await works(value));
  // The last use is written after the response.
  await eventually("its use", async () => {
    await page.reload();
    await row.waitFor();
    return /Last used(just now|\d+ min ago)/.test(await row.textContent());
  });
  assert.equal(await page.getByText(value).count(), 0);

  const revoke = row.getByRole("button", { name: /^Revoke Nightly feed, made / });
  await revoke.click();
  const dialog = page.getByRole("dialog", { name: "Revoke Nightly feed?" });
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.ok(await works(value));
  await revoke.click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("heading", { name: "No tokens yet" }).waitFor();
  assert.ok(!(await works(value)));
});

test("a token of POST /auth is told apart; a name is needed", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  await tokenOf(dealer);
  await signIn(dealer, { to: tokens });
  await page.getByRole("heading", { name: "Made by a program" }).waitFor();
  await page.getByText("With your email and password").waitFor();
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByRole("button", { name: "Make it" }).click();
  await page.getByText("Fill this in.").waitFor();
  await page.getByLabel("Name").fill("x".repeat(81));
  await page.getByRole("button", { name: "Make it" }).click();
  await page.getByText("Use at most 80 characters.").waitFor();
});

test("the eleventh names the one that it pushes out, before and after", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const values = [];
  for (let i = 1; i <= 9; i++) values.push(await ctl(["token", "mint", "--email", dealer.email, "--name", `Feed ${i}`]));
  const first = values[0].token ?? values[0];
  await signIn(dealer, { to: tokens });
  await page.getByText("9 tokens of 10 in use.").waitFor();
  await mint(page, "The tenth");
  await page.getByRole("button", { name: "I have copied it" }).click();
  const notice = page.getByText("The next one pushes out the oldest: Feed 1, made ");
  await notice.waitFor();
  assert.ok(await works(first));
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByRole("dialog").getByText("It pushes out Feed 1, made ").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await mint(page, "The eleventh");
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText("The next one pushes out the oldest: Feed 2, made ").waitFor();
  assert.ok(!(await works(first)));
  assert.equal(await page.getByRole("heading", { name: "Feed 1" }).count(), 0);
});

test("another password ends the other sessions, keeps this one, and revokes tokens when asked to", async ({ page, open, signIn, expect }) => {
  expect(400, 429);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await signIn(dealer, { to: "/dashboard/settings/password" });
  const other = await signIn(dealer, { page: await open() });
  const change = async (current, fresh, again = fresh) => {
    await page.getByLabel("Current password").fill(current);
    await page.getByLabel("New password", { exact: true }).fill(fresh);
    await page.getByLabel("New password, again").fill(again);
    await page.getByRole("button", { name: "Change the password" }).click();
  };
  for (const [text, told] of [["kd8f29fkalq", "Use 12 to 256 characters."], [dealer.email.toUpperCase(), "Do not use your email address as the password."]]) {
    await change(dealer.password, text);
    await page.getByText(told).waitFor();
  }
  await change(dealer.password, "another long password", "another long passwort");
  await page.getByText("Is not the same as the new password.").waitFor();
  await change(dealer.password, "password1234");
  await page.getByText("Many people use this password. Choose another one.").waitFor();
  await change("not this one", "another long password");
  await page.getByText("This is not right.").waitFor();
  await page.route("**/dashboard/api/password", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "60" }, json: { error: "Too many requests" } }), { times: 1 });
  await change("not this one", "another long password");
  await page.getByText("Too many attempts. You can try again in 1 minute.").waitFor();
  await change(dealer.password, "another long password");
  await page.getByText("The password is changed. Other sessions of yours have ended.").waitFor();
  assert.ok(await works(token));
  assert.equal(await page.getByLabel("Current password").inputValue(), "");
  await other.getByRole("link", { name: "Stock", exact: true }).click();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  // This one goes on, also with what needs its token against forged requests.
  await page.getByRole("checkbox", { name: "Revoke all my API tokens, too" }).check();
  await change("another long password", "a third long password");
  await page.getByText("and your API tokens are revoked.").waitFor();
  assert.ok(!(await works(token)));
  await signIn({ ...dealer, password: "a third long password" }, { page: other, to: "/dashboard/sign-in" });
});
