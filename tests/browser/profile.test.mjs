// Settings: one's own name, email and organisations. That the letters' links work is tested with the letters (tests/mail).
import assert from "node:assert/strict";
import { emailLink } from "../docs/letters.mjs";
import { addMember, base, makeDealer, makeOrganisation, test } from "./testing.mjs";
import { refuseFirst } from "./visit.mjs";

const profile = "/dashboard/settings/profile";

test("the settings begin with the profile, and the account's menu leads there", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await addMember(await makeOrganisation("Birch & Sons"), dealer, "MEMBER");
  await signIn(dealer, { to: "/dashboard/settings" });
  await page.getByRole("heading", { level: 2, name: "Profile" }).waitFor();
  assert.equal(page.url(), base + profile);
  const parts = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  assert.deepEqual(await parts.allTextContents(), ["Profile", "Password", "Two steps", "Sessions", "Emails", "Notifications", "API tokens"]);
  const rows = page.getByRole("main").getByRole("listitem");
  assert.deepEqual((await rows.allInnerTexts()).map((text) => text.split(/\n+/)), [["Ashford Motors", "Administrator", "Team"], ["Birch & Sons", "Member", "Team"]]);
  await rows.getByRole("link", { name: "Ashford Motors", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Ashford Motors" }).waitFor();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("link", { name: "Your profile" }).click();
  await page.getByRole("heading", { level: 2, name: "Profile" }).waitFor();
});

test("a session that ended before the email was read is asked for, and the name that was typed stays", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const refuse = await refuseFirst(page, "**/dashboard/api/email");
  await signIn(dealer, { to: profile });
  await page.getByLabel("Name").fill("Typed, not saved");
  refuse();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByLabel("Password").fill(dealer.password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Send the email" }).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Typed, not saved");
});

test("another name is shown at once, and stays", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  await signIn(dealer, { to: profile });
  const name = page.getByLabel("Name");
  assert.equal(await name.inputValue(), "Dana Dealer");
  const save = page.getByRole("button", { name: "Save" });
  for (const [text, told] of [["", "Fill this in."], ["x".repeat(121), "Use at most 120 characters."]]) {
    await name.fill(text);
    await save.click();
    await page.getByText(told).waitFor();
  }
  await name.fill("Dana Ünal-Field");
  await page.getByRole("link", { name: "Stock", exact: true }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await save.click();
  await page.getByText("Your name is saved.").waitFor();
  const account = page.getByRole("button", { name: "Account: Dana Ünal-Field" });
  await account.waitFor();
  await page.reload();
  await account.waitFor();
  assert.equal(await name.inputValue(), "Dana Ünal-Field");
  await page.getByRole("link", { name: "Stock", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
});

test("a new email says what is wrong with it, also that the service sends no mail", async ({ page, signIn, expect }) => {
  expect(400, 409);
  const dealer = await makeDealer();
  await signIn(dealer, { to: profile });
  const email = page.getByLabel("New email");
  for (const [text, told] of [["dana", "Type an email address, such as name@example.com."], [dealer.email, "Choose another one than before."],
    [`new-${dealer.email}`, "This service sends no mail. Ask whoever runs it for a change of your address."]]) {
    await email.fill(text);
    await page.getByRole("button", { name: "Send the email" }).click();
    await page.getByText(told).waitFor();
  }
});

test("a change that waits is told, and can be withdrawn", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await emailLink(dealer.email, `new-${dealer.email}`);
  await signIn(dealer, { to: profile });
  await page.getByText(`An email is on its way to new-${dealer.email}.`).waitFor();
  await page.getByRole("button", { name: "Keep the old email" }).click();
  await page.getByText(`Your email stays ${dealer.email}.`).waitFor();
  await page.getByLabel("New email").waitFor();
  await page.reload();
  await page.getByLabel("New email").waitFor();
});

test("the link of a letter asks for the sign-in of before, and changes the email", async ({ page, open, signIn, expect }) => {
  expect(404);
  const dealer = await makeDealer();
  const fresh = `new-${dealer.email}`;
  const { token } = await emailLink(dealer.email, fresh);
  const other = await signIn(dealer, { page: await open(), to: profile });
  await page.goto(`${base}/dashboard/#/email/${token}`);
  await page.getByText("Sign in with the email that you have had so far.").waitFor();
  assert.equal(page.url(), `${base}/dashboard/email`);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email", { exact: true }).fill(dealer.email);
  await page.getByLabel("Password", { exact: true }).fill(dealer.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  const intro = page.getByText(`You are signed in as ${dealer.email}`);
  await intro.waitFor();
  await page.getByRole("button", { name: "Use the new email" }).click();
  await page.getByText(`From now on you sign in with ${fresh}.`).waitFor();
  assert.equal(await intro.count(), 0);
  await page.getByRole("link", { name: "To the dashboard" }).click();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByText(`Signed in as ${fresh}`).waitFor();

  await other.getByRole("link", { name: "Stock", exact: true }).click();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await signIn({ ...dealer, email: fresh }, { page: other, to: "/dashboard/sign-in" });

  await page.goto(`${base}/dashboard/#/email/${token}`);
  await page.getByRole("button", { name: "Use the new email" }).waitFor();
  await page.reload();
  await page.getByText("Open the link in the email again.").waitFor();
  await other.goto(`${base}/dashboard/#/email/${token}`);
  await other.getByRole("button", { name: "Use the new email" }).click();
  await other.getByText("This link was used or withdrawn, is too old, or is another user's.").waitFor();
});
