// For everybody: WCAG 2.2 AA by axe on each page, narrow screens, the keyboard alone.
import assert from "node:assert/strict";
import { long } from "../support/cases.mjs";
import { base, makeDealer, test } from "./testing.mjs";
import { axeSource, eventually, isFirefox } from "./visit.mjs";
import { everything, pageNames, signInPage } from "./everything.mjs";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  // The results of rules that pass are large: handing them over takes longer than finding them.
  return page.evaluate(async (values) => {
    const found = await window.axe.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    return found.violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? ""})`).join(" | ")}`);
  }, rules);
}

const tooWide = (page) => page.evaluate(() => {
  const width = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > width + 1 && !node.closest(".states, .markdown pre"));
  const named = wide.length ? wide.slice(0, 3).map((node) => node.outerHTML.slice(0, 120)) : ["something that cannot be named"];
  return document.documentElement.scrollWidth > width ? named : [];
});

// The last is 1280 px at 400 %.
const looks = isFirefox ? [["light", 1600], ["dark", 360]]
  : [["light", 1600], ["light", 360], ["dark", 1600], ["dark", 360], ["dark", 1600, "active"], ["light", 1600, "active"], ["light", 320]];

// Firefox cannot be made to prefer a theme from outside: there the page's own switch does it.
async function setTheme(page, theme, forcedColors) {
  if (isFirefox) await page.evaluate((wanted) => document.documentElement.dataset.theme === wanted || window.switchTheme(), theme);
  else await page.emulateMedia({ colorScheme: theme, forcedColors });
  await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
  // Until what is shown has the new colours.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  // Transitions, which Firefox cannot be asked to leave out.
  if (isFirefox) await page.waitForFunction(() => document.getAnimations().every((each) => !(each instanceof CSSTransition)));
}

// The page of this number is looked at in one way, the next page in the next one; with TRADEPOST_TEST_LONG each page in all of them.
const looksAt = (number) => (long ? looks : [looks[number % looks.length]]);

// What is lower than 44 px of what is tapped. A link inside a text is as high as its line (WCAG 2.2, 2.5.8); the label of a box belongs to it.
const tapped = "button, .btn, select, input:not([type=checkbox], [type=radio], [type=file]), textarea, .nav-link, .states a, .menu-item, summary, .drop-label, .form-check";
const tooLow = (page) => page.locator(tapped).evaluateAll((nodes) => nodes.filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 43.5)
  .map((node) => `${node.getAttribute("aria-label") ?? node.textContent} ${node.getBoundingClientRect().height}`));

// What is wrong with a page, in these looks, and at several widths.
async function look(page, [, address, act], number) {
  const faults = [];
  await page.goto(base + address);
  await act(page);
  for (const [theme, width, forcedColors = "none"] of looksAt(number)) {
    await page.setViewportSize({ width, height: width === 320 ? 256 : 800 });
    await setTheme(page, theme, forcedColors);
    // As high as its contents: a bar that stays in view would be above something that only has to be moved.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    if (width !== 320) await page.setViewportSize({ width, height: Math.max(800, height) });
    for (const fault of await violations(page)) faults.push(`${theme}, ${width}, forced colours ${forcedColors}: ${fault}`);
  }
  for (const width of [320, 360, 768, 1000, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    for (const fault of await tooWide(page)) faults.push(`wider than ${width}: ${fault}`);
    if (width === 360) for (const fault of await tooLow(page)) faults.push(`tapped, and lower than 44 px: ${fault}`);
  }
  return faults;
}

// One dealer serves them all, and few sessions: eight sign-ins in a quarter of an hour are the most. An older session would be asked for the
// password before it may make a token or set up a second step.
const longest = 5 * 60_000;
let made = null, signedIn = { at: 0 };
async function prepare({ page, context, signIn }) {
  made ??= await everything(page);
  if (Date.now() - signedIn.at > longest) {
    const at = Date.now();
    await signIn(made.dealer);
    signedIn = { at, storageState: await context.storageState() };
  }
  return { pages: made.pages, storageState: signedIn.storageState };
}

for (const [number, name] of ["sign-in", ...pageNames].entries()) {
  test(`the page ${name} passes axe, never scrolls sideways, and what is tapped is 44 px high`, async (visit) => {
    visit.expect(400, 404);
    if (name === "sign-in") return assert.deepEqual(await look(visit.page, signInPage, number), []);
    const { pages, storageState } = await prepare(visit);
    const page = await visit.open({ storageState });
    assert.deepEqual(await look(page, pages.find(([each]) => each === name), number), []);
  }, { push: name === "notifications" });
}

test("no name, address or text without spaces makes a page wider than the screen", async ({ page, signIn }) => {
  const { dealer, pages } = await everything(page, { unbroken: true });
  await signIn(dealer);
  const faults = [];
  for (const [name, address, act] of pages) {
    if (["token-minted", "second-step-set-up", "invitation"].includes(name)) continue;  // have nothing of it, and change something
    await page.setViewportSize({ width: 1600, height: 800 });
    await page.goto(base + address);
    await act(page);
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const fault of await tooWide(page)) faults.push(`${name}, ${width}: ${fault}`);
    }
  }
  assert.equal(faults.join("\n"), "");
}, { push: true, slow: true });

test("the keyboard alone does it: skip link, order, dialogs and menus", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await page.goto(`${base}/dashboard/`);
  await page.getByLabel("Email").waitFor();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.name ?? document.activeElement.textContent);
  const text = () => page.evaluate(() => document.activeElement.textContent.trim());
  // Sign in by keys.
  assert.equal(await focused(), "email");
  await page.keyboard.type(dealer.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(dealer.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await eventually("the focus is on the heading", () => page.evaluate(() => document.activeElement.tagName === "H1"));

  // The order in which a page is walked through.
  await page.goto(base + dealer.at("stock"));
  await page.getByRole("heading", { name: "No stock yet" }).waitFor();
  const walked = [];
  for (let i = 0; i < 18; i++) {
    await page.keyboard.press("Tab");
    walked.push(await page.evaluate(() => {
      const outline = getComputedStyle(document.activeElement).outlineStyle;
      return `${outline === "none" ? "INVISIBLE " : ""}${(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim().replace(/\s+/g, " ")}`;
    }));
  }
  assert.deepEqual(walked.map((each) => each.replace(/, \d+ new|^Account: .*/, (found) => (found.startsWith("Account") ? "Account" : ""))), [
    "Skip to the content", "Tradepost", "Dark colours", "Account", "Overview", "Enquiries0", "Stock", "Jobs", "Events", "Posts", "Organisation", "Settings",
    "Import or export", "Add an item", "All", "Draft", "Published", "Archived"].map((each) => (each === "Enquiries0" ? walked[5].replace(/, \d+ new/, "") : each)));

  // A menu opens, closes by Escape and gives the focus back.
  const account = page.getByRole("button", { name: /^Account/ });
  await account.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await text(), "Your profile");
  await page.keyboard.press("Escape");
  assert.equal(await account.getAttribute("aria-expanded"), "false");
  assert.ok(await account.evaluate((node) => node === document.activeElement));

  // A dialog keeps the focus and gives it back.
  await account.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "API tokens" }).press("Enter");
  const make = page.getByRole("button", { name: "Make a token" });
  await make.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Make a token" });
  await dialog.waitFor();
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("dialog") !== null), await focused());
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.ok(await make.evaluate((node) => node === document.activeElement));
});

test("the theme follows the system until it is chosen, and the choice stays", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.emulateMedia({ colorScheme: "dark" });
  await signIn(dealer);
  assert.equal(await theme(), "dark");
  const button = page.getByRole("switch", { name: "Dark colours" });
  await button.click();
  assert.deepEqual([await theme(), await button.getAttribute("aria-checked")], ["light", "false"]);
  await page.reload();
  await button.waitFor();
  assert.equal(await theme(), "light");
  await button.click();
  await page.emulateMedia({ colorScheme: "light" });
  await eventually("the system's theme", async () => (await theme()) === "light");
}, { notInFirefox: "WebDriver BiDi emulates no colour scheme" });
