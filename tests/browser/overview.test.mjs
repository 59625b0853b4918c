// The overview: the first page, and what each of its figures leads to.
import assert from "node:assert/strict";
import { ask, base, makeDealer, makeUser, test, tokenOf } from "./testing.mjs";
import { addSession, eventually, isFirefox, letPass } from "./visit.mjs";

const inDays = (days) => new Date(Date.now() + days * 24 * 3600_000).toISOString();

async function withBusiness() {
  const dealer = await makeDealer();
  const [token, buyer] = [await tokenOf(dealer), await tokenOf(await makeUser("Sam Solo"))];
  const item = (reference, more) => ask("POST", "/api/v1/stock", { token, body: { reference, title: `Item ${reference}`, price: 1, currency: "GBP", ...more } });
  for (const reference of ["A", "B"]) await item(reference, { status: "PUBLISHED" });
  const sold = await item("C", { status: "PUBLISHED", availability: "SOLD" });
  await item("D");
  const job = { description: "D", category: "C", contractType: "PERMANENT", city: "Leeds" };
  await ask("POST", "/api/v1/jobs", { token, body: { ...job, title: "Ends soon", status: "PUBLISHED", expiresAt: inDays(5) } });
  await ask("POST", "/api/v1/jobs", { token, body: { ...job, title: "Ends later", status: "PUBLISHED", expiresAt: inDays(20) } });
  await ask("POST", "/api/v1/jobs", { token, body: { title: "Draft" } });
  const write = (name) => ask("POST", "/api/v1/enquiries", { token: buyer, body: { stockId: sold.id, name, message: "Hello" } });
  const enquiries = [await write("Ann"), await write("Bob"), await write("Cid")];
  await ask("PATCH", `/api/v1/enquiries/${enquiries[2].id}`, { token, body: { status: "REPLIED" } });
  return { dealer, write };
}

test("the overview comes first, by one request, and each figure leads to what it counts", async ({ page, signIn }) => {
  const { dealer } = await withBusiness();
  const asked = [];
  page.on("request", (request) => /\/api\//.test(request.url()) && asked.push(new URL(request.url()).pathname));
  await signIn(dealer);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  assert.equal(new URL(page.url()).pathname, dealer.at("overview"));
  assert.equal(await page.getByRole("navigation", { name: "Main" }).getByRole("link").first().textContent(), "Overview");
  await page.locator(".figure").first().waitFor();
  // What the frame asks for the count of new enquiries is not the page's.
  assert.equal(asked.filter((path) => path === "/dashboard/api/overview").length, 1);
  assert.deepEqual(asked.filter((path) => !["/dashboard/api/overview", "/dashboard/api/session", "/api/v1/enquiries"].includes(path)), []);

  const figures = await page.locator(".figure").evaluateAll((all) => all.map((node) => [node.textContent, node.href]));
  assert.deepEqual(figures.map(([text]) => text), ["2 New", "0 Read, not answered", "0 Due in", "2 In stock", "0 Reserved", "1 Sold", "1 Drafts",
    "3 Published without pictures", "2 Published", "1 Drafts", "1 Ending within 14 days"]);
  const week = await page.locator(".chart-week").last();
  figures.push(["3 this week", await week.evaluate((node) => node.href)]);
  assert.match(await week.getAttribute("aria-label"), /^Week of .*: 3 enquiries$/);
  for (const [text, address] of figures) {
    await page.goto(address);
    await page.locator(".results:not([aria-busy])").waitFor();
    await eventually(text, async () => (await page.locator(".row-link").count()) === Number.parseInt(text, 10) && (await page.locator(".results[aria-busy]").count()) === 0);
  }
});

test("the overview tells who has waited longest, and follows what arrives", async ({ page, signIn }) => {
  const { dealer, write } = await withBusiness();
  await page.clock.install();
  await signIn(dealer);
  const oldest = page.locator(".oldest");
  await oldest.getByRole("link", { name: "Ann" }).waitFor();
  assert.match(await oldest.textContent(), /^Longest without an answer: Ann about Item C, for 1 minute\.$/);
  await page.getByText("in the middle of 1 reply in 90 days").waitFor();
  await write("Dora");
  await eventually("3 new ones", async () => (await letPass(page, 31_000), await page.locator(".figure").first().textContent()) === "3 New");
  await page.getByText("Show as table").click();
  assert.equal(await page.locator(".chart tbody tr").count(), 12);
  assert.equal(await page.locator(".chart tbody tr").last().locator("td").textContent(), "4");
  await oldest.getByRole("link", { name: "Ann" }).click();
  await page.getByRole("heading", { level: 1, name: "Enquiry from Ann" }).waitFor();
});

test("an organisation with nothing has an overview without complaints", async ({ page, signIn }) => {
  await signIn(await makeDealer());
  await page.getByText("No enquiry is waiting for a reply.").waitFor();
  await page.getByText("Reply times appear here").waitFor();
  assert.deepEqual(await page.locator(".figure-count").allTextContents(), Array(11).fill("0"));
});

test("moments are those of the reader's time zone, weeks those of the service, and both are written as Intl does", async (visit) => {
  const { dealer } = await withBusiness();
  const page = await visit.open(isFirefox ? {} : { timezoneId: "America/Los_Angeles" });
  await addSession(page, dealer);
  await page.goto(base + dealer.at("overview"));
  await page.locator(".chart-week").last().waitFor();
  const [moments, weeks] = await page.evaluate(() => {
    const write = (time, options) => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", ...options }).format(new Date(time));
    return [
      [...document.querySelectorAll("time")].map((node) => [node.title, write(node.dateTime, { timeStyle: "short" })]),
      [...document.querySelectorAll(".chart-week")].map((node) => [node.ariaLabel.split(":")[0], `Week of ${write(new URL(node.href).searchParams.get("week"), { timeZone: "UTC" })}`]),
    ];
  });
  assert.deepEqual([moments.length, weeks.length], [1, 12]);
  for (const [shown, expected] of [...moments, ...weeks]) assert.equal(shown, expected);
  await page.locator(".chart-week").last().click();
  const chosen = page.getByRole("combobox", { name: "Sent" }).locator("option:checked");
  assert.equal(await chosen.textContent(), weeks.at(-1)[0]);
});
