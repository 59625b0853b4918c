// What an organisation has of each kind, and may have.
import assert from "node:assert/strict";
import { addMember, ask, makeDealer, makeUser, test, tokenOf } from "./testing.mjs";

const cells = async (page, kind) => page.getByRole("row", { name: kind }).getByRole("cell").allInnerTexts();
// The service's answer with another limit of a kind.
const withLimit = (page, kind, limit) => page.route("**/dashboard/api/usage?*", async (route) => {
  const response = await route.fetch(), body = await response.json();
  body.data.usage.find((each) => each.kind === kind).limit = limit;
  await route.fulfill({ response, json: body });
});

test("a member sees how much the organisation has, and may have", async ({ page, signIn }) => {
  const dealer = await makeDealer(), member = await makeUser("Max Mechanic");
  await addMember(dealer.organisation, member, "MEMBER");
  const token = await tokenOf(dealer);
  for (const reference of ["A", "B"]) await ask("POST", "/api/v1/stock", { token, body: { reference, title: "Van" } });
  await signIn(member, { to: dealer.at("organisation") });
  await page.getByRole("link", { name: "Limits" }).click();
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  await page.getByRole("table", { name: "Limits" }).waitFor();
  assert.deepEqual(await cells(page, "Stock items"), ["2", "200,000"]);
  assert.deepEqual(await cells(page, "Members"), ["2", "500"]);
  assert.equal(await page.getByRole("row").count(), 13);
  assert.equal(await page.getByText("Nearly full").count(), 0);
  await page.getByRole("link", { name: "Organisation" }).last().click();
  await page.getByRole("heading", { name: dealer.organisation.name }).waitFor();
});

test("a limit that is near is warned of, and says what happens there", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  for (let i = 1; i <= 9; i++) await ask("POST", "/api/v1/stock", { token, body: { reference: `R-${i}`, title: "Van" } });
  await withLimit(page, "STOCK_ITEMS", 10);
  await signIn(dealer, { to: dealer.at("limits") });
  await page.getByText("Stock items: 9 of 10. At the limit new ones are refused. Remove some, or ask whoever runs this service for a higher limit.").waitFor();
  await page.getByRole("row", { name: "Stock items Nearly full" }).waitFor();
  await page.unroute("**/dashboard/api/usage?*");
  await withLimit(page, "STOCK_ITEMS", 9);
  await page.reload();
  await page.getByRole("row", { name: "Stock items Full" }).waitFor();
  await page.unroute("**/dashboard/api/usage?*");
  await withLimit(page, "STOCK_ITEMS", 11);  // 9 are less than nine tenths
  await page.reload();
  await page.getByRole("table", { name: "Limits" }).waitFor();
  assert.equal(await page.getByText("full", { exact: false }).count(), 0);
});
