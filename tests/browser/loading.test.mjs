// What a page costs: requests and bytes, never seconds, which are the machine's too. `run speed` measures those.
import assert from "node:assert/strict";
import { loadOf } from "./loads.mjs";
import { ask, base, makeDealer, test, tokenOf } from "./testing.mjs";
import { addSession, eventually, isFirefox, roundTrip } from "./visit.mjs";

// A page in a browser of this dealer, or of nobody, that has loaded nothing yet.
async function newBrowser(visit, dealer) {
  const page = await visit.open();
  if (dealer) await addSession(page, dealer);
  return page;
}

async function load(page, address, settled) {
  await page.goto(base + address);
  await page.locator(settled).first().waitFor();
}

const addresses = ({ all }) => all.map(({ url }) => url.replace(base, "").replace(/-[0-9A-Z]{8}\./, "-HASH."));
const files = ["early-HASH.js", "style-HASH.css", "chunk-HASH.js", "main-HASH.js"].map((each) => `/dashboard/assets/${each}`);

async function dealerWithStock() {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await ask("POST", "/api/v1/stock", { token, body: { organisationId: dealer.organisation.id, reference: "VAN-1", title: "Ford Ranger" } });
  return dealer;
}

test("a first page is at most 20 requests and 90 kB, and 3 requests the next time", async (visit) => {
  if (isFirefox) return;  // it tells of no bytes
  const dealer = await dealerWithStock();
  for (const [who, address, settled] of [[null, "/dashboard/sign-in", "form [name=password]"], [dealer, "/dashboard/", "main h1"], [dealer, dealer.at("overview"), "main h1"], [dealer, dealer.at("stock"), ".row-link"]]) {
    const page = await newBrowser(visit, who);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    const [cold, warm] = [await loadOf(page, devtools, base + address, settled), await loadOf(page, devtools, base + address, settled)];
    assert.ok(cold.requests <= 20 && cold.bytes <= 90_000, `${address}: ${cold.requests} requests, ${cold.bytes} bytes: ${addresses(cold).join(" ")}`);
    // Some seconds later the page looks for new enquiries; what it asks at its beginning is counted.
    const first = addresses(warm).filter((each) => !each.includes("/api/v1/enquiries?"));
    assert.ok(first.length <= 3, `${address}: ${first.join(" ")}`);
    assert.deepEqual(addresses(cold).filter((each) => each.includes("/assets/")).sort(), files.toSorted());
    assert.deepEqual(addresses(warm).filter((each) => each.includes("/assets/")), []);
    for (const { url, headers } of cold.all.filter((each) => each.url.includes("/assets/"))) assert.equal(headers["content-encoding"], "gzip", url);
  }
});

test("another page asks for what it shows and for no file", async (visit) => {
  const dealer = await dealerWithStock();
  const page = await newBrowser(visit, dealer);
  // The list's tabs ask for their counts after the list.
  const counts = page.waitForResponse(/\/api\/overview\?/);
  await load(page, dealer.at("enquiries"), ".empty");
  await counts;
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const [link, settled] of [["Stock", ".row-link"], ["Jobs", ".empty"], ["Organisation", "form"]]) {
    await page.getByRole("navigation").getByRole("link", { name: link, exact: true }).click();
    await page.locator(settled).first().waitFor();
  }
  assert.ok(asked.length >= 3);
  assert.deepEqual(asked.filter((path) => !path.startsWith("/api/v1/")), []);
});

test("the pages that are seldom opened are one script, which comes once", async (visit) => {
  const dealer = await makeDealer();
  const page = await newBrowser(visit, dealer);
  await load(page, dealer.at("team"), ".token");
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(base + dealer.at("enquiries"));
  await page.locator(".empty").first().waitFor();
  assert.deepEqual(asked.filter((path) => path.includes("seldom")), []);
  for (const link of ["Settings", "Password", "Sessions"]) {
    await page.getByRole("navigation").getByRole("link", { name: link }).click();
    await page.locator("main h1").waitFor();
  }
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  assert.ok(asked.filter((path) => path.includes("seldom")).length <= 1);
});

test("a page whose script is gone loads the document again, once, and then says so", async ({ page, signIn, expect, complaints }) => {
  expect(404);
  const dealer = await makeDealer();
  await signIn(dealer);
  let missing = 0, documents = 0;
  await page.route(/assets\/seldom-/, (route) => (missing++, route.fulfill({ status: 404, body: "" })));
  page.on("request", (request) => (documents += request.isNavigationRequest()));
  await page.goto(base + dealer.at("team"));
  await page.getByRole("heading", { name: "The dashboard cannot start" }).waitFor();
  assert.deepEqual([documents, missing], [2, 2]);
  await page.unroute(/assets\/seldom-/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Team" }).waitFor();
  complaints.length = 0;  // of the missing file
});

test("without a network a page that is seldom opened says so, and the application stays", async ({ page, signIn, setOffline, expect, complaints }) => {
  expect("ERR_INTERNET_DISCONNECTED");
  await signIn(await makeDealer());
  let documents = 0;
  page.on("request", (request) => (documents += request.isNavigationRequest()));
  await setOffline(true);
  await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "The dashboard cannot start" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("#alerts").getByText("There is no connection to the server.").waitFor();
  assert.equal(documents, 0);
  await setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Profile", exact: true }).waitFor();
  complaints.length = 0;  // of the missing file
});

test("the frame is there before any script", async ({ page, expect }) => {
  expect("ERR_FAILED");
  await page.route(/\.js$/, (route) => route.abort());
  await page.goto(`${base}/dashboard/sign-in`);
  const brand = page.getByRole("banner").getByRole("link", { name: "Tradepost" });
  assert.ok(await brand.isVisible());
  assert.ok(await page.getByRole("main").count());
  assert.ok((await brand.locator("img").evaluate((image) => image.decode().then(() => image.naturalWidth))) > 0);
});

test("the next document of an address asks at once for what the first page asked for", async (visit) => {
  const dealer = await dealerWithStock();
  const page = await newBrowser(visit, dealer);
  await load(page, dealer.at("stock"), ".row-link");
  await eventually("it is remembered", () => page.evaluate(() => localStorage.getItem("tradepost.early")?.includes("/api/v1/stock")));
  // As if the script came late: only it could ask for the list.
  let go;
  const later = new Promise((resolve) => (go = resolve));
  await page.route(/assets\/main-/, async (route) => (await later, route.continue()));
  const asked = page.waitForRequest(/\/api\/v1\/stock\?/);
  await page.goto(base + dealer.at("stock"), { waitUntil: "commit" });
  await asked;
  let again = 0;
  page.on("request", (request) => (again += request.url().includes("/api/v1/stock?")));
  go();
  await page.locator(".row-link").waitFor();
  assert.equal(again, 0);
  // Later the list is asked for again.
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
  await page.getByRole("link", { name: "Stock", exact: true }).click();
  await eventually("the list is asked for", () => again === 1);
});

test("what a form asks for after pauses of its making is remembered, too", async (visit) => {
  const dealer = await dealerWithStock();
  const { stock: [item] } = await ask("GET", `/api/v1/stock?organisationId=${dealer.organisation.id}`, { token: await tokenOf(dealer) });
  const page = await newBrowser(visit, dealer);
  // So that there is a pause after each step, as on a slow machine.
  await page.addInitScript(() => {
    let now = 0;
    performance.now = () => (now += 1000);
  });
  await load(page, dealer.at("stock", item.id), "form.editor");
  const remembered = () => page.evaluate(() => JSON.parse(localStorage.getItem("tradepost.early") ?? "{}")[location.pathname]);
  await eventually("it is remembered", remembered);
  assert.deepEqual((await remembered()).map((path) => path.split("?")[0]), [`/api/v1/stock/${item.id}`, "/api/v1/enquiries"]);
});

test("the number of new enquiries is asked for after a first page that takes long", async ({ page, signIn }) => {
  const dealer = await dealerWithStock();
  await page.clock.install();
  const asked = [];
  page.on("request", (request) => request.url().includes("/api/v1/enquiries?") && asked.push(request.url()));
  let held;
  await page.route("**/api/v1/stock?*", (route) => (held = route));
  await signIn(dealer, { to: dealer.at("stock") });
  await eventually("the list is asked for", () => held);
  await page.clock.runFor(10_000);
  await roundTrip(page);
  assert.deepEqual(asked, []);
  await held.continue();
  await page.locator(".row-link").first().waitFor();
  await eventually("they are asked for", () => asked.length > 0);
  assert.equal(await page.evaluate(() => localStorage.getItem("tradepost.early").includes("enquiries")), false);
});

test("nothing of that is left after signing out", async (visit) => {
  const dealer = await dealerWithStock();
  const page = await newBrowser(visit, dealer);
  await load(page, dealer.at("stock"), ".row-link");
  await eventually("it is remembered", () => page.evaluate(() => localStorage.getItem("tradepost.early")?.includes("/api/v1/stock")));
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Email", { exact: true }).waitFor();
  assert.doesNotMatch((await page.evaluate(() => localStorage.getItem("tradepost.early"))) ?? "", /api/);
});

test("a document whose script is gone, as after an upgrade, is loaded again, and once", async ({ page, expect, complaints }) => {
  expect(404);
  let documents = 0, missing = 0, most = 1;
  page.on("request", (request) => (documents += request.isNavigationRequest()));
  await page.route(/assets\/main-/, (route) => (missing < most ? (missing++, route.fulfill({ status: 404, body: "" })) : route.continue()));
  await page.goto(`${base}/dashboard/sign-in`);
  await page.getByLabel("Email", { exact: true }).waitFor();
  assert.deepEqual([documents, missing], [2, 1]);

  [documents, missing, most] = [0, 0, 9];
  await page.goto(`${base}/dashboard/forgot`);
  await eventually("the second try", () => missing === 2);
  await page.waitForFunction(() => performance.getEntriesByType("navigation")[0].type === "reload" && document.readyState === "complete");
  assert.deepEqual([documents, missing], [2, 2]);
  complaints.length = 0;  // of the missing file
});

test("the overview's figures are asked for before the modules are there, and once", async (visit) => {
  const dealer = await dealerWithStock();
  for (const address of ["/dashboard/", dealer.at("overview")]) {
    const page = await newBrowser(visit, dealer);
    let go, asked = 0;
    const later = new Promise((resolve) => (go = resolve));
    await page.route(/assets\/main-/, async (route) => (await later, route.continue()));
    page.on("request", (request) => (asked += request.url().includes("/api/overview")));
    const figures = page.waitForRequest(`${base}/dashboard/api/overview?organisationId=${dealer.organisation.id}`);
    await page.goto(base + address, { waitUntil: "commit" });
    await figures;
    go();
    await page.getByRole("heading", { name: "To do" }).waitFor();
    assert.equal(asked, 1, address);
  }
});

test("the sign-in form does not wait for the answer who is signed in, and a late one changes nothing", async (visit) => {
  const dealer = await makeDealer();
  const page = await newBrowser(visit, null);
  let go;
  const later = new Promise((resolve) => (go = resolve));
  const late = { status: 401, contentType: "application/json", body: '{"error":"Unauthorized"}' };
  await page.route(/api\/session$/, async (route) => route.request().method() === "GET" ? (await later, route.fulfill(late)) : route.continue());
  await page.goto(`${base}/dashboard/sign-in`, { waitUntil: "commit" });
  await page.getByLabel("Email", { exact: true }).fill(dealer.email);
  await page.getByLabel("Password", { exact: true }).fill(dealer.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("link", { name: "Add a job" }).first().click();
  await page.getByLabel("Title").fill("Mechanic");
  const answered = page.waitForResponse(/api\/session$/);
  go();
  await (await answered).finished();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await page.getByLabel("Title").inputValue(), "Mechanic");
});

test("who is signed in already goes on from the sign-in to where they wanted to go", async (visit) => {
  const dealer = await makeDealer();
  const page = await newBrowser(visit, dealer);
  await page.goto(`${base}/dashboard/sign-in?next=${encodeURIComponent(dealer.at("jobs"))}`);
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
});
