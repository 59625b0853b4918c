// Fields that help: currencies, Markdown with its buttons, passwords that can be seen, the first field.
import assert from "node:assert/strict";
import { ask, base, makeDealer, password, test, tokenOf } from "./testing.mjs";

const focused = (page) => page.evaluate(() => document.activeElement.name || document.activeElement.getAttribute("aria-label") || document.activeElement.textContent);

test("a new item begins with the currency of the organisation's country, and every currency can be chosen", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await ask("PATCH", "/api/v1/accounts", { token, body: { country: "SE" } });
  await signIn(dealer, { to: dealer.at("stock", "new") });
  const currency = page.getByLabel("Currency");
  await currency.waitFor();
  assert.equal(await currency.inputValue(), "SEK");
  assert.equal(await currency.evaluate((node) => node.selectedOptions[0].text), "SEK – Swedish Krona");
  assert.equal(await focused(page), "title");
  await page.getByLabel("Title").fill("A van");
  await page.getByLabel("Reference").fill("V-1");
  await page.getByRole("textbox", { name: "Price" }).fill("199.50");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("Saved as a draft").waitFor();
  const { stock: [item] } = await ask("GET", "/api/v1/stock", { token });
  assert.deepEqual([item.currency, item.price], ["SEK", 19950]);
  await currency.selectOption("BHD");
  await page.getByRole("textbox", { name: "Price" }).fill("1.125");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  // One that the browser does not offer stays as it is.
  await ask("PATCH", `/api/v1/stock/${item.id}`, { token, body: { currency: "XAU" } });
  await page.reload();
  await currency.waitFor();
  assert.equal(await currency.inputValue(), "XAU");
});

test("a new item begins without a currency when the organisation's country cannot be read", async ({ page, signIn, expect }) => {
  expect(503);
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock") });
  await page.route("**/api/v1/accounts?*", (route) => route.fulfill({ status: 503, json: { error: "Service unavailable" } }));
  await page.goto(base + dealer.at("stock", "new"));
  await page.getByLabel("Currency").waitFor();
  assert.equal(await page.getByLabel("Currency").inputValue(), "");
});

test("a job without a salary has no currency, one with a salary has the organisation's", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await ask("PATCH", "/api/v1/accounts", { token, body: { country: "DE" } });
  for (const [title, salary, currency] of [["Driver", "", null], ["Fitter", "30,000", "EUR"]]) {
    await signIn(dealer, { to: dealer.at("jobs", "new") }).catch(() => page.goto(base + dealer.at("jobs", "new")));
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Salary from").fill(salary);
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByText("Saved as a draft").waitFor();
    const { jobs: [job] } = await ask("GET", `/api/v1/jobs?organisationId=${dealer.organisation.id}`, { token });
    assert.deepEqual([job.title, job.salaryCurrency], [title, currency]);
    await page.context().clearCookies();
  }
});

test("buttons and keys format Markdown, the browser can undo them, and About you has a preview", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("organisation") });
  const text = page.getByLabel("About you");
  await text.fill("We sell vans\nand cars");
  const select = (from, to) => text.evaluate((node, [a, b]) => (node.focus(), node.setSelectionRange(a, b)), [from, to]);
  await select(3, 7);
  await page.getByRole("button", { name: "Bold" }).click();
  assert.equal(await text.inputValue(), "We **sell** vans\nand cars");
  await page.getByRole("button", { name: "Bold" }).click();
  assert.equal(await text.inputValue(), "We sell vans\nand cars");
  await select(0, 20);
  await page.getByRole("button", { name: "List", exact: true }).click();
  assert.equal(await text.inputValue(), "- We sell vans\n- and cars");
  await page.keyboard.press("Control+z");
  assert.equal(await text.inputValue(), "We sell vans\nand cars");
  await select(8, 12);
  await page.keyboard.press("Control+i");
  assert.equal(await text.inputValue(), "We sell _vans_\nand cars");
  await select(19, 23);
  await page.getByRole("button", { name: "Link" }).click();
  assert.equal(await text.inputValue(), "We sell _vans_\nand [cars](https://)");
  // One stop of the Tab key for all buttons.
  await page.getByRole("button", { name: "Bold" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(page), "Italic");
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "description");
  await page.getByText("How to format").click();
  await page.getByRole("cell", { name: "**bold**" }).waitFor();
  await page.getByRole("tab", { name: "Preview" }).click();
  assert.equal(await page.locator(".markdown em").textContent(), "vans");
  assert.equal(await page.getByText("How to format").isVisible(), false);
});

test("a password can be seen, and is hidden again when it is sent", async ({ page, expect }) => {
  expect(401);
  await page.goto(`${base}/dashboard/sign-in`);
  const field = page.getByLabel("Password", { exact: true });
  await field.waitFor();
  assert.equal(await focused(page), "email");
  await page.getByLabel("Email").fill("nobody@example.com");
  await field.fill(password);
  const button = page.getByRole("button", { name: "Show characters" });
  await button.click();
  assert.deepEqual([await field.getAttribute("type"), await button.getAttribute("aria-pressed")], ["text", "true"]);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Email or password is wrong.").waitFor();
  assert.deepEqual([await field.getAttribute("type"), await button.getAttribute("aria-pressed")], ["password", "false"]);
});

test("Escape does not close what is shown once before it was copied", async ({ page, allow, signIn }) => {
  await allow("clipboard-read", "clipboard-write");
  const dealer = await makeDealer();
  await signIn(dealer, { to: "/dashboard/settings/tokens" });
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("Name").fill("Feed");
  await page.getByRole("button", { name: "Make it" }).click();
  const shown = page.getByRole("dialog", { name: "Feed is ready" });
  await shown.waitFor();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Escape");
  assert.equal(await shown.isVisible(), true);
  await shown.getByRole("button", { name: "Copy: Token" }).click();
  await shown.getByText("Copied", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await shown.getByLabel("Token", { exact: true }).inputValue());
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
});
