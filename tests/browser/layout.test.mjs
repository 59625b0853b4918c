// Where things stand: bars, targets and columns at the widths at which the layout changes.
import assert from "node:assert/strict";
import { base, makeDealer, test } from "./testing.mjs";
import { everything } from "./everything.mjs";
import { eventually } from "./visit.mjs";
import { withStock } from "./with_stock.mjs";

const boxes = (page, selector) => page.locator(selector).evaluateAll((nodes) => nodes.filter((node) => node.checkVisibility()).map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { x, y, width, height, text: node.getAttribute("aria-label") ?? node.textContent };
}));

test("at 360 px no bar is higher than 64 px, and the buttons of a long one can be moved into view", async ({ page, signIn }) => {
  const { dealer, pages } = await everything(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(dealer);
  for (const [name, address, act] of pages.filter(([name]) => ["stock-item", "job", "enquiry", "organisation"].includes(name))) {
    await page.goto(base + address);
    await act(page);
    for (const bar of await boxes(page, ".top, .side, .save-foot")) assert.ok(bar.height <= 64, `${name}: ${JSON.stringify(bar)}`);
    const last = page.locator(".save-bar .btn").last();
    await last.scrollIntoViewIfNeeded();
    const { x, width } = await last.boundingBox();
    assert.ok(x >= 0 && x + width <= 360, `${name}: ${x} ${width}`);
  }
});

test("neither the selects of CSV columns, nor a dialog's buttons, nor the note of a change are cut off", async ({ page, signIn }) => {
  const { dealer, pages } = await everything(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(dealer);
  const show = async (wanted) => {
    const [, address, act] = pages.find(([name]) => name === wanted);
    await page.goto(base + address);
    await act(page);
  };
  await show("stock-csv-preview");
  const [table] = await boxes(page, ".csv-scroll:has(select)");
  const selects = await boxes(page, ".csv-scroll select");
  assert.deepEqual(selects.filter(({ x, width }) => x < table.x || x + width > table.x + table.width), []);
  await show("second-step-set-up");
  const [dialog] = await boxes(page, "dialog");
  const buttons = await boxes(page, ".dialog-buttons .btn");
  assert.equal(buttons.length, 2);
  assert.deepEqual(buttons.filter(({ y, height }) => y + height > dialog.y + dialog.height), []);
  await page.setViewportSize({ width: 800, height: 740 });
  await show("stock-cut-off");
  const [[side], [note]] = [await boxes(page, ".side"), await boxes(page, ".pending-bar")];
  assert.ok(note.x > side.x + side.width, JSON.stringify([side, note]));
});

test("below 1024 px the navigation is a rail, and states that do not fit are moved into view", async ({ page, signIn }) => {
  const { dealer } = await withStock(1);
  await page.setViewportSize({ width: 1000, height: 700 });
  await signIn(dealer, { to: dealer.at("enquiries?status=SPAM") });
  const [side] = await boxes(page, ".side");
  assert.ok(side.width <= 96 && side.height > 200, JSON.stringify(side));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  const current = page.locator(".states [aria-current]");
  await eventually("the current state is in view", async () => {
    const { x, width } = await current.boundingBox();
    return x >= 0 && x + width <= 360;
  });
  assert.equal((await boxes(page, ".states a")).filter((each, i, all) => each.y !== all[0].y).length, 0);
});

test("neighbours are aligned, whatever hints they have, and at 1600 px pictures stand at the right", async ({ page, signIn }) => {
  const { dealer, items } = await withStock(1, { pictures: 2, page });
  await page.setViewportSize({ width: 1600, height: 1000 });
  await signIn(dealer, { to: dealer.at("stock", items[0].id) });
  await page.locator(".picture").first().waitFor();
  const top = async (label) => (await page.locator(".field").filter({ hasText: label }).locator("input, select").boundingBox()).y;
  assert.equal(await top("Reference"), await top("Availability"));
  const [item, pictures] = await boxes(page, ".panel");
  assert.equal(pictures.y, item.y);
  assert.ok(pictures.x > item.x + item.width && pictures.x > 1000, JSON.stringify([item, pictures]));
  await page.setViewportSize({ width: 1280, height: 1000 });
  const [first, second] = await boxes(page, ".panel");
  assert.equal(first.x, second.x);
});

test("on a telephone the menu More has what the bar has no room for", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(dealer, { to: dealer.at("stock") });
  const main = page.getByRole("navigation", { name: "Main" });
  assert.deepEqual((await boxes(page, ".nav-link .nav-text")).map(({ text }) => text.replace(/\d.*/, "")), ["Overview", "Enquiries", "Stock", "Jobs"]);
  await main.getByRole("button", { name: /More/ }).click();
  const [list] = await boxes(page, ".menu-more .menu-list");
  assert.ok(list.x >= 0 && list.x + list.width <= 360 && list.y >= 0, JSON.stringify(list));
  assert.deepEqual(await main.locator(".menu-item").allTextContents(), ["Events", "Posts", "Organisation", "Settings"]);
  await main.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  assert.equal(await main.locator(".menu-more-current").count(), 1);
});

test("tabs that can be moved sideways fade where there are more, also for people who want no motion", async ({ page, signIn }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(await makeDealer(), { to: "/dashboard/settings/profile" });
  const fades = () => page.locator(".states").evaluate((node) => ["--more-left", "--more-right"].map((name) => getComputedStyle(node).getPropertyValue(name) !== "0px"));
  await eventually("more at the right", async () => (await fades()).join() === "false,true");
  await page.locator(".states").evaluate((node) => node.scrollTo(node.scrollWidth, 0));
  await eventually("more at the left", async () => (await fades()).join() === "true,false");
}, { notInFirefox: "Firefox has no scroll timelines" });
