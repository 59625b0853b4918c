// A copy for tests says so on every page.
import assert from "node:assert/strict";
import { base, makeDealer, test } from "./testing.mjs";
import { axeSource } from "./visit.mjs";

const note = "A copy of shop of 28 Nov 2026. Names are invented, nothing is sent.";

// As the service of a copy would answer.
const copied = (page) => page.route("**/dashboard/api/session", async (route) => {
  const response = await route.fetch();
  const { data } = await response.json();
  return route.fulfill({ response, json: { data: { ...data, copy: { of: "shop", on: "2026-11-28" } } } });
});

test("a copy says so on every page, readably", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await copied(page);
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByRole("note").getByText(note).waitFor();
  await page.goto(`${base}/dashboard/settings/profile`);
  await page.getByRole("note").getByText(note).waitFor();
  assert.equal(await page.locator(".copy-note time").getAttribute("datetime"), "2026-11-28");
  await page.setViewportSize({ width: 320, height: 700 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
  await page.evaluate(axeSource);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() => window.axe.run(".copy-note"));
    assert.deepEqual(violations.map(({ id }) => id), [], colorScheme);
  }
});

test("a service that is no copy says nothing of it", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByRole("heading", { name: "Stock", level: 1 }).waitFor();
  assert.equal(await page.locator(".copy-note").count(), 0);
});
