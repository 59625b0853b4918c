// A visit to the dashboard: a browser context of its own, which notes what the browser complains of.
import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { limit, slowPages } from "../support/waiting.mjs";
import { base, call } from "./testing.mjs";

const require = createRequire(join(process.env.BUILD, "browser", "package.json"));
const playwright = require("playwright-core");
export const axeSource = require("axe-core").source;

// How long a page may take for a single step, in milliseconds.
const patience = limit(15_000);
const underWay = new WeakMap();  // the requests that are not answered yet, by page

export const isFirefox = process.env.BROWSER === "firefox";

// What the browser tells of the bodies of requests: WebDriver BiDi hands none of them over.
export const bodies = (...all) => (isFirefox ? all.map(() => null) : all);

// The key of the stack's certificate is one to trust: where Chromium merely ignores faults of certificates, it keeps no file.
const key = () => {
  const certificate = new X509Certificate(readFileSync(join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem")));
  return createHash("sha256").update(certificate.publicKey.export({ type: "spki", format: "der" })).digest("base64");
};

// What tests ask of Chromium and WebDriver BiDi cannot ask of Firefox: permissions, and no motion.
const preferences = { "permissions.default.desktop-notification": 1, "dom.events.testing.asyncClipboard": true, "ui.prefersReducedMotion": 1 };

// Chromium's headless shell takes half the processor time of Chromium with its window, and has no Web Push.
const chromium = ({ push }) => push ? process.env.CHROMIUM ?? "/usr/bin/chromium" : process.env.CHROMIUM_SHELL ?? "/usr/bin/chromium-headless-shell";

// Without --disable-gpu Chromium has a process that plays the graphics card, which takes a sixth of the processor time.
// The distribution's Firefox is driven by WebDriver BiDi: Playwright's own protocol takes a Firefox that is patched for it.
export const openBrowser = ({ push = false } = {}) => isFirefox
  ? playwright._bidiFirefox.launch({ executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", firefoxUserPrefs: preferences })
  : playwright.chromium.launch({ executablePath: chromium({ push }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--ignore-certificate-errors-spki-list=${key()}`] });

// Signs the user in by a request, and gives the cookie to the browser of the page.
export async function addSession(page, { email, password }) {
  const { headers } = await call("POST", "/dashboard/api/session", { body: { email, password }, headers: { "User-Agent": await page.evaluate(() => navigator.userAgent) } });
  const [name, value] = headers["set-cookie"][0].split(";")[0].split("=");
  await page.context().addCookies([{ name, value, url: base, secure: true, httpOnly: true, sameSite: "Strict" }]);
}

// Warnings of Chromium that say nothing about the page: that a file it has preloaded comes too early for a slow machine, and those without a
// place in one of the page's files, which a new version of Chromium may add.
const isForeign = (message) => !isFirefox && message.type() === "warning" && (/was preloaded using link preload but not used/.test(message.text()) ||
  !(/^(blob|data):/.test(message.location().url) || message.location().url.startsWith(base) || message.text().includes(base)));

// {page, context, open(options), signIn(user), signInByForm(user, address), allow(permission…), setOffline(yes), expect(status…), complaints, rejections, notes,
// seen(), check(), close()}. `complaints` are lines of the console and exceptions, `rejections` are of promises that nobody waited for, and `notes` are
// lines of the console that fail no test.
export async function openVisit(browser, options = {}) {
  const contexts = [];
  const visit = { complaints: [], rejections: [], notes: [], expected: new Set() };
  const unserved = [];  // lines of the console about an answer of 503: {url, text}
  const reads = [];     // addresses of GETs that were answered by 503 with Retry-After

  // Another browser for the same test; its page.
  visit.open = async (given = {}) => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 900 }, locale: "en-GB", reducedMotion: "reduce", ...options, ...given });
    context.setDefaultTimeout(patience);
    contexts.push(context);
    context.on("page", (page) => watch(page));
    if (slowPages > 1 && !isFirefox) context.on("page", async (page) => (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slowPages }));
    return context.newPage();
  };

  function watch(page) {
    const open = new Set();
    underWay.set(page, open);
    page.on("request", (request) => open.add(request));
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => open.delete(request));
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type())) return;
      // A refused request is an error to the console, also where the page expects it: the test says which.
      const status = /status of (\d{3})/.exec(message.text())?.[1] ?? /net::(ERR_\w+)/.exec(message.text())?.[1];
      if (status && visit.expected.has(status)) return;
      if (status === "503") unserved.push({ url: message.location().url, text: message.text() });
      else (isForeign(message) ? visit.notes : visit.complaints).push(message.text());
    });
    page.on("response", (response) => {
      if (response.status() === 503 && response.request().method() === "GET" && response.headers()["retry-after"]) reads.push(response.url());
    });
    page.on("pageerror", (error) => visit.complaints.push(`exception: ${error.stack || error.message || error}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${base}/`) && !/^(blob|data):/.test(url)) visit.complaints.push(`request to another host: ${url}`);
    });
  }

  // What may fail: statuses, or a network error such as ERR_INTERNET_DISCONNECTED.
  visit.expect = (...what) => what.forEach((each) => visit.expected.add(String(each)));
  visit.expect(401);  // who comes without a session
  visit.seen = () => [...visit.complaints, ...visit.rejections];
  visit.check = () => {
    // The page repeats such a read by itself, as every client should. The test fails all the same if the page does not.
    for (const { url, text } of unserved.splice(0)) {
      const place = reads.indexOf(url);
      if (place >= 0) reads.splice(place, 1);
      (place >= 0 ? visit.notes : visit.complaints).push(`${text} ${url}`);
    }
    if (visit.seen().length) throw new Error("the browser complained");
  };

  visit.allow = (...what) => isFirefox ? undefined : visit.context.grantPermissions(what, { origin: base });

  // For the first page.
  visit.setOffline = async (yes) => {
    if (!isFirefox) return visit.context.setOffline(yes);
    if (yes) await visit.page.route("**", (route) => route.abort());
    else await visit.page.unrouteAll();
  };

  // Without the sign-in form. Returns the page.
  visit.signIn = async (user, { page = visit.page, to = "/dashboard/" } = {}) => {
    await addSession(page, user);
    await page.goto(base + to);
    await page.locator(".shell main h1").waitFor();
    return page;
  };

  visit.signInByForm = async (user, to) => {
    await visit.page.goto(base + to);
    await visit.page.getByLabel("Email", { exact: true }).fill(user.email);
    await visit.page.getByLabel("Password", { exact: true }).fill(user.password);
    await visit.page.getByRole("button", { name: "Sign in" }).click();
    await visit.page.locator(".shell main h1").waitFor();
  };

  visit.close = () => Promise.all(contexts.map((context) => context.close().catch(() => {})));
  visit.page = await visit.open();
  visit.context = visit.page.context();
  return visit;
}

// Condition by condition: what the page shows, awaited.
export async function eventually(what, check, milliseconds = 15_000) {
  const until = Date.now() + limit(milliseconds);
  for (let last; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      last = await check();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) throw new Error(`never seen: ${what}${last instanceof Error ? ` (${last.message})` : ""}`);
  }
}

// One request of the page and its answer. The test knows of all requests that were sent before it when this resolves.
export const roundTrip = (page) => page.evaluate(() => fetch("/api/v1/enquiries").then((answer) => answer.text()));

// Lets time pass by page.clock, then awaits what the page asked for: the page gives up an answer that takes too long by that clock.
export async function letPass(page, milliseconds) {
  await page.clock.runFor(milliseconds);
  await roundTrip(page);
  await eventually("answers to all that was asked for", () => underWay.get(page).size === 0);
  await roundTrip(page);  // by now the page has read them
}

// A real picture, drawn by the browser: PNG or JPEG, as a file for Playwright.
export async function drawPicture(page, { name = "van.png", type = "image/png", width = 640, height = 480, hue = 160, text = "1" } = {}) {
  const bytes = await page.evaluate(async (given) => {
    const canvas = new OffscreenCanvas(given.width, given.height);
    const pen = canvas.getContext("2d");
    pen.fillStyle = `hsl(${given.hue} 45% 55%)`;
    pen.fillRect(0, 0, given.width, given.height);
    pen.fillStyle = `hsl(${given.hue} 40% 30%)`;
    pen.fillRect(0, given.height * 0.65, given.width, given.height);
    pen.fillStyle = "#fff";
    pen.font = `${given.height / 3}px sans-serif`;
    pen.fillText(given.text, given.width / 3, given.height * 0.55);
    const blob = await canvas.convertToBlob({ type: given.type, quality: 0.8 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, { type, width, height, hue, text });
  return { name, mimeType: type, buffer: Buffer.from(bytes) };
}

// From now on the page loses the answer to what it asks for by this method, which goes to the service after send(). stop() ends it.
export async function loseAnswers(page, method) {
  await page.evaluate((lost) => {
    const { fetch } = window;
    const go = new Promise((resolve) => (window.sendNow = resolve));
    window.loses = true;
    window.fetch = async (address, options) => {
      if (!window.loses || options?.method !== lost) return fetch(address, options);
      await go;
      await fetch(address, options);
      throw new TypeError("lost");
    };
  }, method);
  return { send: () => page.evaluate(() => window.sendNow()), stop: () => page.evaluate(() => (window.loses = false)) };
}

// The first read of such an address waits, and is refused by 401 when the function is called that this returns.
export async function refuseFirst(page, address) {
  let refuse;
  const refused = new Promise((resolve) => (refuse = resolve));
  await page.route(address, async (route) => {
    await refused;
    await route.fulfill({ status: 401, json: { error: "Unauthorized" } });
  }, { times: 1 });
  return refuse;
}

// From now on requests of this method to such an address wait for release(); `waiting` lists their bodies.
export async function holdRequests(page, method, address) {
  let release;
  const held = new Promise((resolve) => (release = resolve)), waiting = [];
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    waiting.push(route.request().postData());
    await held;
    await route.fallback();
  });
  return { release, waiting };
}
