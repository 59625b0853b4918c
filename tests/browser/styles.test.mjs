// The one style sheet has all that pages use of Bootstrap, and little else of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { base, call, makeDealer, test } from "./testing.mjs";

const bootstrap = readFileSync("/usr/share/javascript/bootstrap5/css/bootstrap.css", "utf8");

// The selectors of Bootstrap that fit an element of the page, in whatever state, and that no rule of its own style sheet has.
const leftOut = (text) => {
  const selectors = (rules) => [...rules].flatMap((rule) => (rule.selectorText ? rule.selectorText.split(/,(?![^(]*\))/).map((each) => each.trim()) : rule.cssRules ? selectors(rule.cssRules) : []));
  const whole = new CSSStyleSheet();
  whole.replaceSync(text);
  const own = new Set(selectors(document.styleSheets[0].cssRules));
  const fits = (selector) => {
    try {
      return document.querySelector(selector.replace(/::[\w-]+|:(?!not|is|where|root|first|last|nth|only|empty)[\w-]+/g, "")) !== null;
    } catch {
      return false;  // what is left is no selector
    }
  };
  return [...new Set(selectors(whole.cssRules))].filter((selector) => !own.has(selector) && fits(selector));
};

test("the style sheet has every rule of Bootstrap that fits an element", async ({ page, signIn, open }) => {
  const dealer = await makeDealer();
  await signIn(dealer);
  for (const [path, settled] of [[dealer.at("enquiries"), ".empty"], [dealer.at("stock", "new"), "form"], [dealer.at("jobs", "new"), "form"], [dealer.at("team"), ".token"], ["/dashboard/settings/password", "form"], ["/dashboard/settings/letters", "select"]]) {
    await page.goto(base + path);
    await page.locator(settled).first().waitFor();
    assert.equal(await page.evaluate(() => document.styleSheets.length), 1);
    assert.deepEqual(await page.evaluate(leftOut, bootstrap), [], path);
  }
  const other = await open();
  await other.goto(`${base}/dashboard/sign-in`);
  await other.locator("form").waitFor();
  assert.deepEqual(await other.evaluate(leftOut, bootstrap), []);
});

test("the style sheet has little of Bootstrap that no page uses, and its licence", async () => {
  const [address] = /\/dashboard\/assets\/style-\w+\.css/.exec((await call("GET", "/dashboard/")).text);
  const { text } = await call("GET", address);
  assert.ok(text.length < bootstrap.length / 3, `${text.length} bytes`);
  assert.doesNotMatch(text, /carousel|accordion|offcanvas|data-bs-|--bs-blue|@keyframes (spinner|progress)/);
  assert.match(text, /Licensed under MIT/);
});
