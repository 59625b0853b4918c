// The page where stock is imported and exported, and what tests do there again and again.
import { readFileSync } from "node:fs";
import { pending, withStock } from "./stocked.mjs";
import { eventually, isFirefox } from "./visit.mjs";

const file = (text, name = "stock.csv") => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
export const give = (page, given) => page.getByLabel("CSV file").setInputFiles(typeof given === "string" ? file(given) : given);
export const preview = (page) => page.getByRole("button", { name: "Show what will change" }).click();
export const counts = (page) => page.locator(".csv-counts dd").allTextContents();
export const shows = (page, ...wanted) => eventually(`the counts are ${wanted}`, async () => (await counts(page)).join() === wanted.join());
export const column = (page, heading) => page.getByLabel(`Import “${heading}” as`);

// A dealer with stock, as withStock() makes it, on the page of imports and exports.
export async function begin(visit, count, given, options) {
  const stocked = await withStock(count, given, options);
  await visit.signIn(stocked.dealer, { to: stocked.dealer.at("stock") });
  await visit.page.getByRole("link", { name: "Import or export" }).click();
  await visit.page.getByRole("heading", { name: "Import or export stock" }).waitFor();
  return stocked;
}

// Imports what the preview shows.
export async function run(page) {
  await page.getByRole("button", { name: /^Import: / }).click();
  await pending(page).getByRole("button", { name: "Do it now" }).click();
}

// The bytes and the name of the file that is saved. Firefox, as it is driven, tells of no download: there what would be saved is taken.
export async function save(page) {
  const press = () => page.getByRole("button", { name: "Save as CSV" }).click();
  if (!isFirefox) {
    const [download] = await Promise.all([page.waitForEvent("download"), press()]);
    return { name: download.suggestedFilename(), buffer: readFileSync(await download.path()) };
  }
  const made = page.evaluate(() => new Promise((resolve) => {
    window.savedBytes = null;
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      blob.arrayBuffer().then((bytes) => (window.savedBytes = [...new Uint8Array(bytes)]));
      return make.call(URL, blob);
    };
    document.addEventListener("click", (event) => {
      if (!event.target.matches?.("a[download]")) return;
      event.preventDefault();
      resolve(event.target.download);
    }, true);
  }));
  await press();
  const name = await made;
  const bytes = await page.waitForFunction(() => window.savedBytes);
  return { name, buffer: Buffer.from(await bytes.jsonValue()) };
}
