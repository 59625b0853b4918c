// The examination of a test organisation's programs.
import assert from "node:assert/strict";
import { addMember, ask, base, call, makeDealer, makeOrganisation, makeUser, test, tokenOf } from "./testing.mjs";
import { eventually, letPass } from "./visit.mjs";

const address = "**/api/v1/accounts/examination?*";
const makeTester = async () => makeDealer({ organisation: await makeOrganisation("Ashford Trials", { test: true }) });
const report = (given = {}) => ({
  state: "FINISHED", startedAt: "2026-11-02T09:00:00Z", endsAt: "2026-11-02T09:05:00Z", requests: 0, grade: "INCOMPLETE",
  checks: ["LOST_ANSWER", "UNAVAILABLE", "POLL", "GONE", "DUPLICATE", "TOO_MANY", "EXPIRED_TOKEN"].map((name) =>
    ({ name, result: "NOT_SEEN", why: "No request fitted this fault.", requestIds: [] })), ...given });
// The page gets this in place of the service's answer.
const answerWith = (page, data, options = {}) => page.route(address, (route) => route.fulfill({ json: { data } }), options);
const cells = (page, name) => page.getByRole("row", { name }).getByRole("cell").allInnerTexts();

test("an administrator of a test organisation begins an examination, and sees its checks while it runs", async ({ page, signIn, expect }) => {
  expect(404);
  const dealer = await makeTester();
  const token = await tokenOf(dealer);
  await signIn(dealer, { to: dealer.at("integrations") });
  await page.getByRole("link", { name: "Examine your programs" }).click();
  const heading = page.getByRole("heading", { name: "Examination of programs" });
  await heading.waitFor();
  assert.equal(await page.getByLabel("Minutes").inputValue(), "5");
  assert.equal(await page.getByRole("table").count(), 0);
  await page.getByLabel("Minutes").fill("15");
  await page.getByRole("button", { name: "Begin the examination" }).click();
  await page.getByText("An examination is running. Let your programs run as usual.").waitFor();
  assert.ok(await heading.evaluate((node) => node === document.activeElement));
  assert.equal(await page.getByLabel("Minutes").isVisible(), false);
  await page.getByText(/^1[45]:\d\d left\. 0 requests watched\.$/).waitFor();
  assert.equal(await page.getByRole("row").count(), 8);
  assert.deepEqual(await cells(page, "Service unavailable"), ["Not seen", "No request fitted this fault.", ""]);
  const body = { reference: "A", title: "Van" };
  const lost = await call("POST", "/api/v1/stock", { token, body, headers: { "X-Request-Id": "lost-1", "Idempotency-Key": "one" } });
  assert.equal(lost.status, 504);
  await ask("POST", "/api/v1/stock", { token, body, headers: { "X-Request-Id": "lost-2", "Idempotency-Key": "one" } });
  await page.getByRole("row", { name: "Lost answer Passed" }).waitFor();
  assert.deepEqual(await cells(page, "Lost answer"), ["Passed", "The POST was repeated with the same Idempotency-Key.", "lost-1\nlost-2"]);
  await page.getByText(/left\. 2 requests watched\.$/).waitFor();
});

test("the report has the grade, and another examination can be begun", async ({ page, signIn }) => {
  const dealer = await makeTester();
  const checks = report().checks;
  checks[5] = { name: "TOO_MANY", result: "FAILED", why: "The next request came before Retry-After was over.", requestIds: Array.from({ length: 12 }, (_, i) => `r-${i}`) };
  const status = page.locator("main [role=status]");
  await answerWith(page, report({ grade: "BAD", checks, requests: 1234 }), { times: 1 });
  await signIn(dealer, { to: dealer.at("examination") });
  await page.getByText("1,234 requests watched.", { exact: true }).waitFor();
  assert.match(await status.innerText(), /^Bad A check failed\. The examination began 2 Nov 2026, \d\d:00\.$/);
  assert.deepEqual(await cells(page, "Too many requests"), ["Failed", "The next request came before Retry-After was over.", `${checks[5].requestIds.slice(0, 10).join("\n")}\nand 2 more`]);
  assert.equal(await page.getByRole("button", { name: "Begin the examination" }).isVisible(), true);
  await answerWith(page, report({ grade: "GOOD" }), { times: 1 });
  await page.reload();
  await page.getByText("All checks passed.").waitFor();
  assert.match(await status.innerText(), /^Good /);
  await answerWith(page, report(), { times: 1 });
  await page.reload();
  await page.getByText("No check failed, but not every fault was seen.").waitFor();
  assert.match(await status.innerText(), /^Incomplete /);
});

test("the page looks again every few seconds while an examination runs, only while it is seen, and keeps what is selected", async ({ page, signIn, expect }) => {
  expect(503);
  const dealer = await makeTester();
  let asked = 0, answer = report({ state: "RUNNING", endsAt: "2040-01-01T00:00:00Z" });
  await page.route(address, (route) => (asked++, answer ? route.fulfill({ json: { data: answer } }) : route.fulfill({ status: 503, json: { error: "Service unavailable" } })));
  await page.clock.install();
  await signIn(dealer, { to: dealer.at("examination") });
  const why = page.getByText("No request fitted this fault.").first();
  await why.waitFor();
  assert.equal(asked, 1);
  await why.selectText();
  answer = { ...answer, requests: 7 };
  await letPass(page, 4000);
  await page.getByText(/7 requests watched\.$/).waitFor();
  assert.equal(asked, 2);
  assert.equal(await page.evaluate(() => String(getSelection())), "No request fitted this fault.");
  // Hidden, it asks nothing, and is shown anew at once afterwards.
  const hide = (yes) => page.evaluate((hidden) => Object.defineProperty(document, "hidden", { configurable: true, value: hidden }), yes);
  await hide(true);
  await letPass(page, 10_000);
  assert.equal(asked, 2);
  await hide(false);
  answer = null;
  await letPass(page, 1000);
  const fault = page.getByText("The server cannot do this at the moment.");
  await fault.evaluate((node) => (node.dataset.first = ""));  // a fault that goes on is not read aloud again
  await letPass(page, 4000);
  assert.equal(await fault.and(page.locator("[data-first]")).count(), 1);
  answer = report({ grade: "GOOD" });
  await letPass(page, 4000);
  await page.getByText("All checks passed.").waitFor();
  assert.equal(await fault.count(), 0);
  // At its end nothing is asked any more.
  const before = asked;
  await letPass(page, 10_000);
  assert.equal(asked, before);
});

test("minutes that cannot be are refused beside their field, and an examination of somebody else's is shown", async ({ page, signIn, expect }) => {
  expect(400, 404, 409);
  const dealer = await makeTester();
  const token = await tokenOf(dealer);
  await signIn(dealer, { to: dealer.at("examination") });
  const minutes = page.getByLabel("Minutes"), begin = page.getByRole("button", { name: "Begin the examination" });
  for (const [typed, fault] of [["16", "Type a whole number from 1 to 15."], ["five", "Must be a whole number."], ["", "Fill this in."]]) {
    await minutes.fill(typed);
    await begin.click();
    await page.getByText(fault).waitFor();
    assert.equal(await minutes.getAttribute("aria-invalid"), "true");
  }
  await ask("POST", "/api/v1/accounts/examination", { token, body: {} });
  await minutes.fill("1");
  await begin.press("Enter");
  await page.getByText("An examination is running. Wait for its end.").waitFor();
  await page.getByText(/^[45]:\d\d left\. 0 requests watched\.$/).waitFor();
  assert.equal(await begin.isVisible(), false);
});

test("nobody else is offered an examination", async ({ page, signIn }) => {
  const dealer = await makeDealer(), tester = await makeTester();
  const member = await makeUser("Max Mechanic");
  await addMember(tester.organisation, member, "MEMBER");
  await signIn(dealer, { to: dealer.at("integrations") });
  await page.getByRole("link", { name: "What failed of late" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Examine your programs" }).count(), 0);
  await page.goto(base + dealer.at("examination"));
  await page.getByText("Only the programs of a test organisation can be examined.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Begin the examination" }).count(), 0);
  await signIn(member, { to: tester.at("integrations") });
  await page.getByRole("link", { name: "What failed of late" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Examine your programs" }).count(), 0);
  await page.goto(base + tester.at("examination"));
  await page.getByText("Only administrators see and begin examinations.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Begin the examination" }).count(), 0);
});

test("a test organisation has a label beside its name, and on its page", async ({ page, signIn }) => {
  const tester = await makeTester(), other = await makeOrganisation();
  await signIn(tester, { to: tester.at("organisation") });
  const label = page.locator(".top").getByText("Test organisation", { exact: true });
  assert.equal(await label.count(), 1);
  await page.getByText("Readers do not see it, nor its stock and jobs.", { exact: true }).waitFor();
  assert.equal(await page.locator("main").getByText("Test organisation", { exact: true }).count(), 1);
  assert.equal(await page.getByText("Not published").count(), 0);
  await addMember(other, tester, "MEMBER");
  await page.reload();
  await page.getByRole("button", { name: "Organisation: Ashford Trials" }).click();
  await page.getByRole("link", { name: "Ashford Trials Administrator, test organisation" }).waitFor();
  await page.getByRole("link", { name: "Ashford Motors Member" }).click();
  await eventually("no label", async () => (await label.count()) === 0);
});
