// Coming, going, and a session that ends meanwhile.
import assert from "node:assert/strict";
import { base, makeDealer, test } from "./testing.mjs";

test("a wrong password is told, and keeps the email", async ({ page }) => {
  const dealer = await makeDealer();
  await page.goto(`${base}/dashboard/`);
  await page.getByLabel("Email").fill(dealer.email);
  await page.getByLabel("Password").fill("not this one");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("Email or password is wrong.").waitFor();
  assert.equal(await page.getByLabel("Email").inputValue(), dealer.email);
  assert.equal(await page.getByLabel("Password").inputValue(), "");
  assert.equal(await page.evaluate(() => document.activeElement.name), "password");
});

test("sign-in leads back to the page that was asked for, with its filters", async ({ page, signInByForm }) => {
  const dealer = await makeDealer();
  await signInByForm(dealer, dealer.at("stock?status=DRAFT"));
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
  assert.ok(page.url().endsWith(dealer.at("stock?status=DRAFT")), page.url());
});

test("sign-in leads nowhere but into the dashboard", async ({ page, signInByForm }) => {
  const dealer = await makeDealer();
  for (const next of ["https://example.com/", "//example.com", "/dashboard/../api/v1/me", "/dashboard/sign-in", "/\\example.com", "javascript:alert(1)"]) {
    await page.context().clearCookies();
    await signInByForm(dealer, `/dashboard/sign-in?next=${encodeURIComponent(next)}`);
    assert.ok(page.url().startsWith(`${base}/dashboard/o/`), `${next} led to ${page.url()}`);
  }
});

test("after signing out nothing is left behind the back button", async ({ page, context, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.deepEqual((await context.cookies()).filter((cookie) => cookie.name === "__Host-session" && cookie.value), []);
  await page.goBack();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await page.getByText(dealer.organisation.name).count(), 0);
});

test("too many attempts show how long to wait", async ({ page, expect }) => {
  expect(429);
  const dealer = await makeDealer();
  await page.goto(`${base}/dashboard/sign-in`);
  await page.getByLabel("Email").fill(dealer.email);
  for (let i = 0; i < 9; i++) {
    await page.getByLabel("Password").fill("not this one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText(i < 8 ? "Email or password is wrong." : "Too many attempts.").waitFor();
  }
  assert.match(await page.locator(".clock").textContent(), /^1[45]:[0-5]\d$/);
  assert.ok(await page.getByRole("button", { name: "Sign in" }).isDisabled());
});

test("the wait is counted down to its end", async ({ page, expect }) => {
  expect(429);
  await page.clock.install();
  await page.route("**/dashboard/api/session", (route) => route.request().method() === "POST"
    ? route.fulfill({ status: 429, headers: { "Retry-After": "600" }, json: { error: "Too many attempts. Please try again later." } }) : route.continue());
  await page.goto(`${base}/dashboard/sign-in`);
  await page.getByLabel("Email").fill("a@b.example");
  await page.getByLabel("Password").fill("x");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".clock").waitFor();
  await page.clock.runFor(61_000);
  assert.match(await page.locator(".clock").textContent(), /^8:5\d$/);
  await page.clock.fastForward(540_000);
  await page.getByText("You can try again now.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Sign in" }).isEnabled());
});

test("a session that has ended leads to sign-in and back to the same page", async ({ page, context, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer);
  await page.locator(".figure").first().waitFor();
  await context.clearCookies();
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Email").fill(dealer.email);
  await page.getByLabel("Password").fill(dealer.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  // A public list needs no session: it is the page that does.
  await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  assert.ok(page.url().endsWith(dealer.at("jobs")), page.url());
});

test("a session that ends while a form is filled in loses no text", async ({ page, context, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Typed before the session ended");
  await page.getByLabel("Reference").fill("R-1");
  await context.clearCookies();
  await page.getByRole("button", { name: "Save as draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  assert.equal(await dialog.getByLabel("Email").inputValue(), dealer.email);
  await dialog.getByLabel("Password").fill(dealer.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Typed before the session ended" }).waitFor();
});

test("a second sign-in in another tab does not break the first", async ({ page, context, signIn, expect }) => {
  expect(403);
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Two tabs");
  await page.getByLabel("Reference").fill("R-2");
  const other = await context.newPage();
  await context.clearCookies();
  await signIn(dealer, { page: other });
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("heading", { level: 1, name: "Two tabs" }).waitFor();
});
