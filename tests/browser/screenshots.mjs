// A picture of every page, or of those that are named, in four widths, light and dark, into BUILD/screenshots.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { base } from "./testing.mjs";
import { openBrowser, openVisit } from "./visit.mjs";
import { everything, signInPage } from "./everything.mjs";

const folder = join(process.env.BUILD, "screenshots");
mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
const browser = await openBrowser({ push: true });
const visit = await openVisit(browser);
const { page } = visit;

async function picture([name, address, act]) {
  for (const width of [360, 800, 1280, 1600]) {
    for (const theme of ["light", "dark"]) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 1000 });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(base + address);
      await act(page);
      const whole = () => page.waitForFunction(() => !document.querySelector("[aria-busy=true]") && [...document.images].every((each) => each.complete || !each.checkVisibility()));
      await whole();
      // As high as its contents, so that what sticks to an edge is where it is at the end of the page. A form comes part by part.
      for (let height = 0, now = 1; now > height; await whole()) {
        height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height });
        now = await page.evaluate(() => new Promise((go) => setTimeout(() => go(document.documentElement.scrollHeight), 500)));
      }
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
    }
  }
}

try {
  if (wanted.length === 0) await picture(signInPage);
  const { dealer, pages } = await everything(page);
  await visit.signIn(dealer);
  for (const each of pages) if (wanted.length === 0 || wanted.includes(each[0])) await picture(each);
} finally {
  await visit.close();
  await browser.close();
}
console.log(`Pictures are in ${folder}`);
