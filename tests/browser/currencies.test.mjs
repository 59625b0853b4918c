// Currencies and countries are those of the service in every browser: which there are, how many decimals, and which belongs to which country.
import assert from "node:assert/strict";
import { begin, give, preview, run, save, shows } from "./csv_page.mjs";
import { withStock } from "./stocked.mjs";
import { ask, base, makeDealer, test, tokenOf } from "./testing.mjs";
import { eventually } from "./visit.mjs";

// ISO 4217, "List one": the digits of all currencies that have not two. Some have no minor units, and are in no list of choices.
const digits = Object.fromEntries(Object.entries({
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 3: "BHD IQD JOD KWD LYD OMR TND", 4: "CLF UYW",
}).flatMap(([count, codes]) => codes.split(" ").map((code) => [code, Number(count)])));
const digitsOf = (code) => digits[code] ?? 2;
const withoutUnits = "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split(" ");

// Every item has this price, in smallest units.
const units = 1_234_567;
const written = ["1234567", null, "12345.67", "1234.567", "123.4567"];
const shown = ["1,234,567", null, "12,345.67", "1,234.567", "123.4567"];

// The values that can be chosen in the field with this label, once all are there.
async function choices(page, label, count) {
  const values = () => page.getByLabel(label, { exact: true }).evaluate((node) => Array.from(node.options, (each) => each.value).filter(Boolean));
  await eventually(`${count} choices`, async () => (await values()).length === count);
  return values();
}
const expected = (codes, value) => Object.fromEntries(codes.map((code) => [code, value(code)]));

test("every currency of the service can be chosen, and has the digits of ISO 4217 in form, import, list and export", async (visit) => {
  const { page } = visit;
  const { dealer, feed, line, values } = await begin(visit, 0);
  await page.goto(base + dealer.at("stock", "new"));
  const codes = await choices(page, "Currency", 166);
  assert.deepEqual(["SLE", "XCG", "ZWG", "HUF"].filter((code) => !codes.includes(code)), []);
  assert.deepEqual(["HRK", "CUC", "SLL", "ZWL", ...withoutUnits].filter((code) => codes.includes(code)), []);

  // In the form. The field shows how it understood the text.
  const typed = await page.evaluate((all) => {
    const [price, currency] = ["price", "currency"].map((name) => document.querySelector(`form [name="${name}"]`));
    return Object.fromEntries(all.map((code) => {
      currency.value = code;
      currency.dispatchEvent(new Event("change", { bubbles: true }));
      price.value = "18,500";
      price.dispatchEvent(new Event("change", { bubbles: true }));
      return [code, price.value];
    }));
  }, codes);
  assert.deepEqual(typed, expected(codes, (code) => (digitsOf(code) ? `18500.${"0".repeat(digitsOf(code))}` : "18500")));

  // The import of a table. The service accepts all codes.
  await page.goto(base + dealer.at("stock", "csv"));
  await give(page, `Reference,Title,Price,Currency\r\n${codes.map((code) => `${code},Van,18500,${code}\r\n`).join("")}`);
  await preview(page);
  await shows(page, codes.length, 0, 0, 0, 0);
  await run(page);
  await page.getByText(`Imported: ${codes.length} items.`).waitFor();
  assert.deepEqual(await values("price"), expected(codes, (code) => 18500 * 10 ** digitsOf(code)));

  // The export as a table, and the list.
  await feed(codes.map((code) => ({ ...line(1), reference: code, price: units, currency: code })));
  await page.reload();
  const [, ...rows] = (await save(page)).buffer.toString().trimEnd().split("\r\n").map((row) => row.split(","));
  assert.deepEqual(Object.fromEntries(rows.map((cells) => [cells[0], cells.includes(written[digitsOf(cells[0])]) ? cells[0] : cells.join()])), expected(codes, (code) => code));
  const prices = {};
  for (let number = 1; Object.keys(prices).length < codes.length; number++) {
    await page.goto(base + dealer.at(`stock?page=${number}`));
    await page.locator(".row-link").first().waitFor();
    for (const row of await page.locator(".row-figure").evaluateAll((all) => all.map((each) => [each.parentElement.querySelector(".code").textContent, each.textContent])))
      prices[row[0]] = /\d[\d.,]*\d/.exec(row[1])[0];
  }
  assert.deepEqual(prices, expected(codes, (code) => shown[digitsOf(code)]));
});

test("a price in forints is stored in hundredths, whatever coins there are", async ({ page, signIn }) => {
  const { dealer, values } = await withStock(0);
  await signIn(dealer, { to: dealer.at("stock", "new") });
  await page.getByLabel("Title").fill("Van");
  await page.getByLabel("Reference").fill("V-1");
  await page.getByLabel("Currency").selectOption("HUF");
  await page.getByRole("textbox", { name: "Price" }).fill("18500");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("Saved as a draft").waitFor();
  assert.deepEqual([await values("price"), await values("currency")], [{ "V-1": 1_850_000 }, { "V-1": "HUF" }]);
});

test("a new item begins with the currency of each country, those without a currency of their own included", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await signIn(dealer, { to: dealer.at("organisation") });
  const countries = await choices(page, "Country", 249);
  assert.deepEqual(["AN", "XK", "UK", "SU"].filter((code) => countries.includes(code)), []);
  for (const [currency, list] of Object.entries({ EUR: "BG HR GP MQ GF RE YT PM BL MF ME AX", DKK: "GL FO", CHF: "LI", XPF: "PF", USD: "PR EC", XCG: "CW", SLE: "SL", ZWG: "ZW", AUD: "TV", HUF: "HU", GBP: "AQ JE" }))
    for (const country of list.split(" ")) {
      await ask("PATCH", "/api/v1/accounts", { token, body: { country } });
      await page.goto(base + dealer.at("stock", "new"));
      await page.getByLabel("Currency").waitFor();
      assert.equal(await page.getByLabel("Currency").inputValue(), currency, country);
    }
});
