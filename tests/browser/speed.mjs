// How fast the dashboard is on Slow 4G, as Lighthouse has it: what each first page and each change of page takes, in requests, kilobytes and
// seconds. `run speed` prints it, medians and in brackets the least; no test holds a time against anything, as those are the machine's, too.
import { base, password } from "./testing.mjs";
import { everything } from "./everything.mjs";
import { loadOf } from "./loads.mjs";
import { openBrowser, openVisit } from "./visit.mjs";

const slow4G = { offline: false, latency: 562.5, downloadThroughput: (1474.56 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 };
const runs = 5;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
// Whatever else the machine does only adds to it.
const both = (values) => `${(median(values) / 1000).toFixed(2)} s (${(Math.min(...values) / 1000).toFixed(2)} s)`;

// A browser that has loaded nothing yet; `cookies` sign it in.
async function throttled(visit, cookies = []) {
  const page = await visit.open();
  await page.context().addCookies(cookies);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", slow4G);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return { page, devtools };
}

const row = (name, all) => {
  const of = (key) => all.map((each) => each[key]);
  console.log(`${name.padEnd(24)} ${String(median(of("requests"))).padStart(3)} requests ${(median(of("bytes")) / 1000).toFixed(1).padStart(6)} kB   painted ${both(of("painted"))}   shown ${both(of("shown"))}`);
};

async function firstPage(visit, name, address, settled, cookies) {
  const all = { cold: [], warm: [] };
  for (let i = 0; i < runs; i++) {
    const { page, devtools } = await throttled(visit, cookies);
    for (const kind of ["cold", "warm"]) all[kind].push(await loadOf(page, devtools, base + address, settled));
    await page.context().close();
  }
  for (const kind of ["cold", "warm"]) row(`${name}, ${kind}`, all[kind]);
}

// From the click to the new heading, and to what the API has answered for it.
async function changeOfPage(visit, from, link, cookies) {
  const { page } = await throttled(visit, cookies);
  await page.goto(base + from);
  await page.locator(".row-link").first().waitFor();
  const times = [];
  for (let i = 0; i < runs; i++) {
    times.push(await page.evaluate((name) => new Promise((resolve) => {
      const began = performance.now();
      const anchor = [...document.querySelectorAll(".side a, nav a")].find((each) => each.textContent.trim().startsWith(name));
      let heading = 0;
      const look = () => {
        if (!heading && document.querySelector("h1")?.textContent === name) heading = performance.now() - began;
        if (!heading || !document.querySelector(".row-link")) return requestAnimationFrame(look);
        resolve({ heading, filled: performance.now() - began });
      };
      anchor.click();
      requestAnimationFrame(look);
    }), link));
    await page.goBack();
    await page.locator(".row-link").first().waitFor();
    await page.reload();
    await page.locator(".row-link").first().waitFor();
  }
  console.log(`${`change to ${link}`.padEnd(24)} heading ${both(times.map((each) => each.heading))}   list ${both(times.map((each) => each.filled))}, of which one answer takes 0.56 s`);
}

const browser = await openBrowser();
const visit = await openVisit(browser);
try {
  await firstPage(visit, "sign-in", "/dashboard/sign-in", "form [name=password]");
  const { dealer, pages } = await everything(visit.page);
  await visit.signIn({ ...dealer, password });
  const cookies = await visit.context.cookies();
  const address = (name) => pages.find(([each]) => each === name)[1];
  await firstPage(visit, "enquiries", address("enquiries"), ".row-link", cookies);
  await firstPage(visit, "stock item", address("stock-item"), ".picture img", cookies);
  await firstPage(visit, "overview", "/dashboard/", "main h2", cookies);
  await changeOfPage(visit, address("enquiries"), "Stock", cookies);
  await changeOfPage(visit, address("enquiries"), "Jobs", cookies);
} finally {
  await visit.close();
  await browser.close();
}
