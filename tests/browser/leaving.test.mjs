// From one page to the next: what is asked before, and what can be done meanwhile.
import assert from "node:assert/strict";
import { base, test } from "./testing.mjs";
import { eventually, holdRequests } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

// The browser goes back, and the page returns to where it was.
const backAndForth = (page) => page.evaluate(() => new Promise((go) => {
  let steps = 0;
  addEventListener("popstate", function count() {
    if (++steps < 2) return;
    removeEventListener("popstate", count);
    setTimeout(() => setTimeout(go));
  });
  history.back();
}));

test("leaving with unsaved text asks, by a link and by the back button", async ({ page, signIn }) => {
  const { dealer, items } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByLabel("Title").waitFor();
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  await page.goBack();
  await page.getByLabel("Title").fill("Not saved yet");
  const form = page.url();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Enquiries" }).click();
  await dialog.getByRole("button", { name: "Stay" }).click();
  assert.equal(page.url(), form);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  // Asked again by a step that comes right after the answer.
  await dialog.getByRole("button", { name: "Stay" }).evaluate((stay) => {
    stay.click();
    history.forward();
  });
  await dialog.getByRole("button", { name: "Stay" }).click();
  await eventually("the address of the form", () => page.url() === form);
  assert.equal(await page.getByLabel("Title").inputValue(), "Not saved yet");
  await page.evaluate(() => history.forward());
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  await eventually("the address of the jobs", () => page.url().endsWith(dealer.at("jobs")));
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Item 1" }).waitFor();
  // A document that goes asks as well.
  await page.getByLabel("Title").fill("Not saved again");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  await (await asked).dismiss();
  assert.equal(await page.getByLabel("Title").inputValue(), "Not saved again");
});

test("who goes back while being asked is not asked twice, and goes back once", async ({ page, signIn }) => {
  const { dealer } = await withStock(1);
  await signIn(dealer, { to: dealer.at("jobs") });
  await page.getByRole("link", { name: "Stock", exact: true }).first().click();
  await page.getByRole("link", { name: "Item 1", exact: true }).click();
  await page.getByLabel("Make").fill("Ford");
  await backAndForth(page);
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  await backAndForth(page);
  assert.equal(await page.getByRole("dialog").count(), 1);
  await page.getByRole("button", { name: "Stay" }).click();
  assert.equal(await page.getByLabel("Make").inputValue(), "Ford");
  await backAndForth(page);
  await backAndForth(page);
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "Stock" }).waitFor();
  assert.equal(page.url(), base + dealer.at("stock"));
});

test("nothing is typed into a page that goes as soon as the next one is loaded", async ({ page, signIn }) => {
  const { dealer, items } = await withStock(1);
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.getByLabel("Make").waitFor();
  const { release } = await holdRequests(page, "GET", "**/assets/seldom-*.js");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.waitForURL("**/settings/profile");
  assert.equal(await page.locator(".page-record").evaluate((node) => node.inert), true);
  release();
  await page.getByRole("heading", { name: "Profile", exact: true }).waitFor();
  await page.goBack();
  await page.getByLabel("Make").fill("Ford");
});
