// Stock in and out as a table: what is understood of files, what is shown before, what is sent, and faults by line.
import assert from "node:assert/strict";
import { limit } from "../support/waiting.mjs";
import { begin, column, counts, give, preview, run, save, shows } from "./csv_page.mjs";
import { loseAnswer, pending } from "./stocked.mjs";
import { ask, test } from "./testing.mjs";
import { eventually } from "./visit.mjs";

test("a German file in Windows-1252 is understood, shown, and imported", async (visit) => {
  const { page } = visit;
  const { stock } = await begin(visit, 2);
  const text = "Fahrzeugnummer;Bezeichnung;Preis;Währung;Zustand;Baujahr;Farbe;Verfügbarkeit\r\nR-1;Kühlwagen „groß“;17.995,-;EUR;gebraucht;2019;weiß;reserviert\r\nN-7;\"Škoda\";1.234,50 €;;Neu;2024;;\r\n".replace("„", "\x84").replace("“", "\x93").replace("Š", "\x8a").replace("€", "\x80");
  await give(page, { name: "bestand.csv", mimeType: "text/csv", buffer: Buffer.from(text, "latin1") });
  await page.getByText("“bestand.csv”, 1 kB, read as Windows-1252: 2 lines below the headings.").waitFor();
  await eventually("the currency is that of the organisation", async () => (await page.getByLabel("Currency if none is given").inputValue()) === "GBP");
  assert.deepEqual(await Promise.all(["Fahrzeugnummer", "Bezeichnung", "Preis", "Währung", "Zustand", "Baujahr", "Farbe", "Verfügbarkeit"].map((each) => column(page, each).inputValue())),
    ["reference", "title", "price", "currency", "condition", "year", "", "availability"]);
  assert.deepEqual([await page.getByLabel("Column separator").inputValue(), await page.getByLabel("Number format").inputValue()], [";", ","]);
  await page.getByText("“17.995,-” means 17,995.").waitFor();
  await column(page, "Farbe").selectOption("attributes");
  await preview(page);
  await shows(page, 1, 1, 0, 0, 0);
  await page.getByText("Price: £1,000.50 → €17,995").waitFor();
  await page.getByText("Farbe: empty → weiß").waitFor();
  await page.getByRole("row").filter({ hasText: "N-7" }).getByText("€1,234.50").waitFor();
  await run(page);
  await page.getByText("Imported: 2 items.").waitFor();
  const items = Object.fromEntries((await stock()).map((item) => [item.reference, item]));
  const { title, price, currency, condition, year, availability, attributes, description, status } = items["R-1"];
  assert.deepEqual([title, price, currency, condition, year, availability, attributes, description, status],
    ["Kühlwagen „groß“", 1_799_500, "EUR", "USED", 2019, "RESERVED", { Colour: "white", Farbe: "weiß" }, "About 1", "PUBLISHED"]);
  const added = items["N-7"];
  assert.deepEqual([added.title, added.price, added.currency, added.status, added.attributes], ["Škoda", 123_450, "EUR", "DRAFT", {}]);
  // The columns are remembered.
  await page.getByRole("heading", { name: "Columns" }).waitFor({ state: "detached" });
  await give(page, "Farbe,Fahrzeugnummer\nrot,R-2\n");
  assert.deepEqual([await column(page, "Farbe").inputValue(), await column(page, "Fahrzeugnummer").inputValue()], ["attributes", "reference"]);
});

test("what is exported is imported again unchanged, whatever its texts are, and is no formula", async (visit) => {
  const { page } = visit;
  const odd = ["=1+1", "+44 113", "-5", "@home", "'=quoted", "Van;=1+cmd|' /C calc'!A0", "Van,-2\n- three\t@4", "\ttab", " spaces ", "a,b;c\t|", 'say "hi"', "two\nlines", "two\r\nlines", "#*é 😀"];
  const { stock, feed } = await begin(visit, odd.length, (i) => ({
    title: odd[i - 1].replace("\t", "-"), reference: `${odd[i - 1].replace(/\s/g, "_")}${i}`, description: odd[i - 1], make: i % 2 ? "" : [...odd[i - 1]].slice(0, 5).join(""), price: i % 3 ? i * 12_345 : null, status: "DRAFT",
    currency: ["GBP", "JPY", "KWD", null][i % 4], year: i % 2 ? 1999 : null, condition: i % 2 ? "USED" : null, attributes: { [`${odd[i - 1]} name`]: odd[i - 1], Empty: "", Colour: "white" },
  }));
  await feed([{ reference: "gone", title: "Gone", status: "PUBLISHED", price: 1, currency: "GBP" }]);
  await feed([{ reference: "gone", title: "Gone", status: "ARCHIVED", price: 1, currency: "GBP" }]);
  const before = await stock();
  for (const separator of [",", ";"]) {
    await page.getByLabel("Spreadsheet format").selectOption(separator);
    const { name, buffer } = await save(page);
    assert.match(name, /^stock-org-.*\d{4}-\d\d-\d\d\.csv$/);
    assert.deepEqual([...buffer.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.doesNotMatch(buffer.toString(), /(^|[,;|\t\r\n])"*[=+@-]/);
    await give(page, { name: "stock.csv", mimeType: "text/csv", buffer });
    await page.getByLabel("Currency if none is given").selectOption("JPY");
    await preview(page);
    await shows(page, 0, 0, odd.length + 1, 0, 0);
    assert.ok(await page.getByRole("button", { name: "There is nothing to import" }).isDisabled());
  }
  assert.deepEqual(await stock(), before);
});

test("each fault stands with the line of the file, and the other lines are imported", async (visit) => {
  const { page } = visit;
  const { stock } = await begin(visit, 1);
  await page.getByLabel("Or paste the table").fill([
    "reference,title,price,year,status,condition", '"A-1","Two', 'lines",12.50,2020,published,', "A-2,Second,about 5,2020,,", "A-3,Third,5,20,,", ",Fourth,5,,,", "A-1,Again,5,,,",
    "A-6,,5,,,", "A-7,Seventh,,,published,", "A-8,Eighth,5,,gone,", "A-9,Ninth,5,,,Mint", "R-1,First,5,,draft,", 'A-10,Tenth,5,,,"open',
  ].join("\n"));
  await page.getByRole("button", { name: "Read pasted table" }).click();
  await preview(page);
  await shows(page, 1, 0, 0, 0, 10);
  await page.getByText("10 lines cannot be imported. The other lines can.").waitFor();
  const rows = await page.getByRole("table").filter({ hasText: "Lines with faults" }).locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim())));
  assert.deepEqual(rows, [
    ["4", "Price: “about 5” is not a price such as 19,995.00. A-2,Second,about 5,2020,,"],
    ["5", "Year: “20” is no year such as 2021. A-3,Third,5,20,,"],
    ["6", "Reference: it is missing. ,Fourth,5,,,"],
    ["7", "Reference: line 2 of the file has the same one. A-1,Again,5,,,"],
    ["8", "Title: Fill this in. A-6,,5,,,"],
    ["9", "Price: Fill this in to publish. A-7,Seventh,,,published,"],
    ["10", "Status: “gone” is none of Draft, Published, Archived. A-8,Eighth,5,,gone,"],
    ["11", "Condition: “Mint” is none of New, Used, Refurbished. A-9,Ninth,5,,,Mint"],
    ["12", "Status: What is published can be archived, and then be a draft again. R-1,First,5,,draft,"],
    ["13", "A quotation mark is opened and never closed. A-10,Tenth,5,,,\"open"],
  ]);
  await run(page);
  await pending(page).getByText("Imported: 1 item.").waitFor();
  assert.deepEqual((await stock()).map((item) => item.reference), ["A-1", "R-1"]);
});

test("a file that is the whole stock archives the others, says so, and needs every line", async (visit) => {
  const { page } = visit;
  const { values } = await begin(visit, 3);
  await give(page, "reference,price\nR-1,5.00\nR-2,none\n");
  await page.getByLabel("The file is the whole stock").check();
  await preview(page);
  await page.getByText("Correct the faulty line first.").waitFor();
  assert.deepEqual(await page.locator(".csv .notice").allTextContents(),
    ["1 line cannot be imported. Correct it first, or an item could be archived by mistake.", "2 items will be archived as the file does not name them."]);
  assert.ok(await page.getByRole("button", { name: /^Import: / }).isDisabled());
  await give(page, "reference,price\nR-1,5.00\n");
  await page.getByLabel("The file is the whole stock").check();
  await preview(page);
  await shows(page, 0, 1, 0, 2, 0);
  await page.getByText("2 items will be archived as the file does not name them.").waitFor();
  await page.getByRole("button", { name: "Import: 1 changed, 2 archived" }).click();
  await page.getByRole("dialog", { name: "Archive 2 items?" }).getByRole("button", { name: "Import and archive" }).click();
  await pending(page).getByText("Import stock (1 changed, 2 archived)").waitFor();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
  await page.getByText("Imported: 3 items.").waitFor();
  assert.deepEqual([await values("status"), (await values("price"))["R-1"]], [{ "R-1": "PUBLISHED", "R-2": "ARCHIVED", "R-3": "ARCHIVED" }, 500]);
});

test("numbers that can be read in two ways are read as is chosen", async (visit) => {
  const { page } = visit;
  await begin(visit, 1);
  await give(page, "reference,title,price\nA-1,One,17.995\n");
  await page.getByText("“17.995” means 17.995.").waitFor();
  await preview(page);
  await page.getByText("has more than 2 digits behind the point. Choose another number format above.").waitFor();
  await page.getByLabel("Number format").selectOption(",");
  assert.equal(await page.getByRole("heading", { name: "What will change" }).count(), 0);
  await page.getByText("“17.995” means 17,995.").waitFor();
  await preview(page);
  await shows(page, 1, 0, 0, 0, 0);
  await page.getByText("£17,995").waitFor();
});

test("columns must be right, and what is no table is refused", async (visit) => {
  const { page } = visit;
  await begin(visit, 1);
  await give(page, "headings,only\n");
  await page.getByText("There is nothing to import").waitFor();
  await give(page, { name: "stock.xlsx", mimeType: "text/csv", buffer: Buffer.from("PK\x03\x04") });
  await page.getByText("“stock.xlsx” is a workbook. Save it as CSV").waitFor();
  await give(page, "car;what\nX;Van\n");
  await preview(page);
  await page.getByText("Choose the column with the references").waitFor();
  await column(page, "car").selectOption("reference");
  await column(page, "what").selectOption("reference");
  await preview(page);
  await page.getByText("Two columns are “Reference”.").waitFor();
  await column(page, "what").selectOption("title");
  await preview(page);
  await shows(page, 1, 0, 0, 0, 0);
});

test("what changed since the preview is not overwritten, and a lost answer is looked up", async (visit) => {
  const { page } = visit;
  visit.expect(412);
  const { token, stock, values } = await begin(visit, 3);
  const [first] = await stock();
  await give(page, "reference,price\nR-1,5.00\nR-2,6.00\nR-3,3000.50\n");
  await preview(page);
  await shows(page, 0, 2, 1, 0, 0);
  await ask("PATCH", `/api/v1/stock/${first.id}`, { token, body: { price: 9 } });
  await run(page);
  await page.getByText("Nothing was imported: the stock has changed since the preview.").waitFor();
  assert.deepEqual(await values("price"), { "R-1": 9, "R-2": 200_050, "R-3": 300_050 });
  await preview(page);
  await page.getByText("Price: £0.09 → £5").waitFor();
  await loseAnswer(page, "PUT", "/stock/feed");
  await run(page);
  await pending(page).getByText("Whether it has arrived is looked up when you try again.").waitFor();
  await pending(page).getByRole("button", { name: "Try again" }).click();
  await page.getByText("Imported: 2 items.").waitFor();
  assert.deepEqual(await values("price"), { "R-1": 500, "R-2": 600, "R-3": 300_050 });
});

test("a session that ended is asked for again, and the file is still there", async (visit) => {
  const { page, context } = visit;
  const { dealer } = await begin(visit, 1);
  await give(page, "reference,price\nR-1,5.00\n");
  await context.clearCookies();
  await preview(page);
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByLabel("Password", { exact: true }).fill(dealer.password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await shows(page, 0, 1, 0, 0, 0);
});

test("5,000 lines are read, shown and imported", async (visit) => {
  const { page } = visit;
  visit.expect(503);  // the look for new enquiries may not wait as long as this import can take
  const { values } = await begin(visit, 1);
  const lines = Array.from({ length: 5000 }, (_, i) => `X-${i},"Van ${i}, long",${i}.50,GBP,In stock`);
  await give(page, `Reference,Title,Price,Currency,Availability\r\n${lines.join("\r\n")}\r\n`);
  await preview(page);
  await eventually("all are new", async () => (await counts(page))[0] === "5,000", 60_000);
  await page.getByText("… and 4,900 more").waitFor();
  await run(page);
  await page.getByText("Imported: 5,000 items.").waitFor({ timeout: limit(60_000) });
  const prices = await values("price");
  assert.deepEqual([Object.keys(prices).length, prices["X-0"], prices["X-4999"]], [5001, 50, 499_950]);
});
