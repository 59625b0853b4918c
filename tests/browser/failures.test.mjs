// What failed of an organisation's programs.
import assert from "node:assert/strict";
import { ask, makeDealer, test, tokenOf } from "./testing.mjs";

test("whoever looks after a program sees what failed, and what the code means", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("failures") });
  await page.getByText("Nothing failed in the last 14 days.").waitFor();
  const token = await tokenOf(dealer);
  for (let i = 0; i < 2; i++) await ask("POST", "/api/v1/stock", { token, body: { reference: "A", title: "Van", price: "12" } }).catch(() => null);
  // A worker writes what it counted with the first request after a second.
  const row = page.getByRole("listitem").filter({ hasText: "POST /api/v1/stock" });
  while (await row.count() === 0) {
    await ask("GET", "/api/v1/me", { token });
    await page.reload();
    await page.getByRole("heading", { name: "Use of tokens" }).waitFor();
  }
  assert.match(await row.innerText(), /400 invalid_field: price/);
  await row.getByRole("link", { name: "invalid_field" }).click();
  await page.getByRole("heading", { name: "Errors" }).waitFor();
});
