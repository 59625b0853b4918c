// Jobs: Markdown that cannot inject, and a job's states.
import assert from "node:assert/strict";
import { ask, makeDealer, test, tokenOf } from "./testing.mjs";
import { eventually } from "./visit.mjs";

const hostile = [
  "# Heading", "", "A **bold** and *leaning* word, `code`, and [a link](https://example.com/jobs?a=1&b=2).", "",
  "<script>window.injected = 1</script>", "<img src=x onerror=\"window.injected = 1\">", "",
  "[click](javascript:window.injected=1) and [data](data:text/html,<script>window.injected=1</script>) and ![pic](https://example.com/x.png)", "",
  "[x](https://example.com/\"onmouseover=\"window.injected=1)", "",
  "- one", "- two", "  - nested", "", "1. first", "2. second", "", "> quoted", "", "```", "<b>in code</b>", "```", "", "---", "", "https://example.org/here.",
].join("\n");

async function previewOf(page, text) {
  await page.getByRole("tab", { name: "Write" }).click();
  // Firefox's driver types character by character: 20,000 would take it a minute.
  await page.getByRole("textbox", { name: "Description" }).evaluate((node, value) => {
    node.value = value;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
  await page.getByRole("tab", { name: "Preview" }).click();
  return page.getByRole("tabpanel", { name: "Preview" });
}

test("the preview shows Markdown and injects nothing", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("jobs", "new") });
  const preview = await previewOf(page, hostile);
  await preview.getByRole("heading", { name: "Heading" }).waitFor();
  const found = await preview.evaluate((node) => ({
    tags: [...new Set([...node.querySelectorAll("*")].map((each) => each.tagName))].sort().join(" "),
    links: [...node.querySelectorAll("a")].map((each) => each.getAttribute("href")),
    attributes: [...new Set([...node.querySelectorAll("*")].flatMap((each) => each.getAttributeNames()))].sort().join(" "),
    injected: window.injected,
    nested: node.querySelector("ul ul li")?.textContent,
    code: node.querySelector("pre code")?.textContent,
    bold: node.querySelector("strong")?.textContent,
  }));
  assert.equal(found.tags, "A BLOCKQUOTE CODE EM H3 HR LI OL P PRE STRONG UL");
  assert.equal(found.attributes, "href rel tabindex target");
  assert.deepEqual(found.links.filter((link) => !/^https:\/\/example\.(com|org)\//.test(link)), []);
  assert.deepEqual([found.injected, found.nested, found.code, found.bold], [undefined, "nested", "<b>in code</b>", "bold"]);
  assert.match(await preview.textContent(), /<script>window\.injected = 1<\/script>/);
});

test("the preview is not slow with what is made to be", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("jobs", "new") });
  for (const text of ["*a ".repeat(6600), "[".repeat(20000), "**a*".repeat(5000), "> ".repeat(10000), "`".repeat(20000), "_".repeat(20000), "- ".repeat(10000)]) {
    const preview = await previewOf(page, text);
    await preview.locator(":scope > *").first().waitFor();
  }
});

test("a job is published, closed and opened again", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await signIn(dealer, { to: dealer.at("jobs") });
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  await page.getByRole("link", { name: "Add a job" }).first().click();
  await page.getByLabel("Title").fill("Van driver");
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  // The field behind the preview is brought to the front.
  await eventually("the description is marked", async () => (await page.getByRole("textbox", { name: "Description" }).getAttribute("aria-invalid")) === "true");
  await page.getByRole("textbox", { name: "Description" }).fill("Drive *vans*.");
  await page.getByLabel("Category").fill("Drivers");
  await page.getByLabel("Contract").selectOption("FIXED_TERM");
  await page.getByLabel("Workplace").selectOption("REMOTE");
  await page.getByLabel("Salary from").fill("30,000");
  await page.getByLabel("Salary to").fill("28000");
  await page.getByLabel("Per", { exact: true }).selectOption("YEAR");
  await page.getByLabel("Closing date").fill("2036-06-30");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("This is less than “Salary from”.").waitFor();
  await page.getByLabel("Salary to").fill("34000");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.locator(".about").getByText("Published", { exact: true }).waitFor();
  const [job] = (await ask("GET", `/api/v1/jobs?organisationId=${dealer.organisation.id}`, { token })).jobs;
  assert.deepEqual([job.status, job.salaryMin, job.salaryMax, job.salaryCurrency], ["PUBLISHED", 30000, 34000, "GBP"]);
  const lastDay = await page.evaluate((time) => new Date(time).toLocaleString("sv-SE"), job.expiresAt);
  assert.equal(lastDay, "2036-06-30 23:59:59");
  const move = async (button, state, yes) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    if (yes) await page.getByRole("dialog").getByRole("button", { name: yes, exact: true }).click();
    await page.locator(".about").getByText(state, { exact: true }).waitFor();
  };
  await move("Close", "Closed", "Close the job");
  await move("Publish again", "Published");
  await move("Archive", "Archived", "Archive");
  await move("Back to draft", "Draft");
  await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
  await page.getByRole("link", { name: "Published" }).click();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("link", { name: "All" }).first().click();
  await page.getByLabel("Search in jobs").fill("\"van");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("heading", { name: "This filter cannot be used" }).waitFor();
  await page.getByLabel("Search in jobs").fill("driver");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: "Van driver" }).waitFor();
});

test("a year of five digits is no closing date", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const { id } = await ask("POST", "/api/v1/jobs", { token, body: { title: "Van driver", expiresAt: "2036-01-31T12:00:00Z" } });
  await signIn(dealer, { to: dealer.at("jobs", id) });
  const day = page.getByLabel("Closing date");
  await day.waitFor();
  assert.equal(await day.getAttribute("max"), "9999-12-31");
  // A browser may take it nevertheless.
  await day.evaluate((node) => {
    node.value = "20277-01-31";
    node.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Is not whole, or there is no such day.").waitFor();
  await page.locator(".back").click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByRole("link", { name: "Van driver" }).waitFor();
});

test("a job whose closing date is over is called expired, and who types such a day is told", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const { id } = await ask("POST", "/api/v1/jobs", { token, body: { title: "Van driver", description: "Drive.", category: "Vans", contractType: "PERMANENT", city: "York", status: "PUBLISHED" } });
  await signIn(dealer, { to: dealer.at("jobs", id) });
  await page.getByLabel("Closing date").fill("2026-01-31");
  await page.getByText("This day is over: it is not shown.").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator(".about").getByText("Expired", { exact: true }).waitFor();
  assert.equal(await page.locator(".about").getByText("Published", { exact: true }).count(), 0);
  await page.getByLabel("Closing date").fill("2036-01-31");
  await page.getByText("This day is over").waitFor({ state: "detached" }).catch(() => page.getByText("This day is over").waitFor({ state: "hidden" }));
  await page.locator(".back").click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.locator(".row-marks").getByText("Expired").waitFor();
  assert.equal(await page.locator(".row-marks").getByText("Published").count(), 0);
});
