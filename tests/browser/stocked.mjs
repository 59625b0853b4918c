// Dealers with much stock, and what the tests of changes of many do again and again.
import assert from "node:assert/strict";
import { call, makeDealer, tokenOf } from "./testing.mjs";

// A dealer with so many items, put there by a feed.
export async function withStock(count, given = () => ({}), { role } = {}) {
  const dealer = await makeDealer({ role });
  const token = await tokenOf(dealer);
  const organisationId = dealer.organisation.id;
  const line = (i) => ({ reference: `R-${i}`, title: `Item ${i}`, price: 100_000 * i + 50, currency: "GBP", description: `About ${i}`, attributes: { Colour: "white" }, status: "PUBLISHED", ...given(i) });
  const feed = async (lines, query = "") => {
    const answer = await call("PUT", `/api/v1/stock/feed?organisationId=${organisationId}${query}`, { token, raw: lines.map((each) => JSON.stringify(each)).join("\n"), headers: { "Content-Type": "application/x-ndjson" } });
    assert.equal(answer.status, 200, answer.error);
    return answer.data;
  };
  if (count) await feed(Array.from({ length: count }, (_, i) => line(i + 1)));
  const stock = async () => {
    const answer = await call("GET", `/api/v1/stock/feed?organisationId=${organisationId}`, { token });
    return answer.text.split("\n").filter(Boolean).map((each) => JSON.parse(each));
  };
  const values = async (name) => Object.fromEntries((await stock()).map((item) => [item.reference, item[name]]));
  return { dealer, token, stock, values, feed, line };
}

export const pending = (page) => page.locator("#pending");
export async function select(page, ...numbers) {
  for (const i of numbers) await page.getByLabel(`Select Item ${i}`, { exact: true }).check();
}
export const action = (page, name) => page.locator(".select-actions").getByRole("button", { name }).click();

// The first, second … request of this method to such an address arrives, and its answer gets lost.
export const loseAnswer = (page, method, part, which = 1) => page.evaluate((given) => {
  const send = window.fetch;
  let count = 0;
  window.fetch = async (path, options) => {
    const answer = await send(path, options);
    if (options.method === given.method && path.includes(given.part) && ++count === given.which) throw new TypeError("lost");
    return answer;
  };
}, { method, part, which });
