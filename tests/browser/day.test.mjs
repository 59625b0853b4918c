// A dealer's whole day.
import assert from "node:assert/strict";
import { ask, call, makeDealer, makeUser, test, tokenOf } from "./testing.mjs";
import { drawPicture } from "./visit.mjs";

test("a dealer does the whole day", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const buyer = await tokenOf(await makeUser("Sam Solo"));
  await signIn(dealer);

  // A stock item with three pictures.
  await page.getByRole("link", { name: "Stock", exact: true }).click();
  await page.getByRole("link", { name: "Add an item" }).first().click();
  await page.getByLabel("Title").fill("Volkswagen Transporter 6.1");
  await page.getByLabel("Reference").fill("VAN-0042");
  await page.getByLabel("Price", { exact: true }).fill("19,995.50");
  await page.getByLabel("Choose pictures").setInputFiles([
    await drawPicture(page, { name: "front.png", hue: 20, text: "1" }),
    await drawPicture(page, { name: "side.jpg", type: "image/jpeg", hue: 140, text: "2" }),
    await drawPicture(page, { name: "back.jpg", type: "image/jpeg", hue: 260, text: "3" }),
  ]);
  await page.locator(".picture").nth(2).waitFor();
  await page.locator(".picture progress").first().waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll(".picture progress").length === 0);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("heading", { level: 1, name: "Volkswagen Transporter 6.1" }).waitFor();
  await page.locator(".about").getByText("Published").waitFor();

  const token = await tokenOf(dealer);
  const item = (await ask("GET", "/api/v1/stock", { token })).stock[0];
  assert.deepEqual([item.status, item.price, item.currency, item.images.length], ["PUBLISHED", 1999550, "GBP", 3]);
  assert.ok(page.url().endsWith(`/stock/${item.id}`));

  // A job.
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("link", { name: "Add a job" }).first().click();
  await page.getByLabel("Title").fill("Parts advisor");
  await page.getByRole("textbox", { name: "Description" }).fill("Look after the **parts counter**.");
  await page.getByLabel("Category").fill("Parts");
  await page.getByLabel("Contract").selectOption("PERMANENT");
  await page.getByLabel("Town or city").fill("Leeds");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.locator(".about").getByText("Published", { exact: true }).waitFor();
  const jobs = await call("GET", `/api/v1/jobs?organisationId=${dealer.organisation.id}`);
  assert.deepEqual(jobs.data.jobs.map((job) => job.title), ["Parts advisor"]);

  // An enquiry.
  await ask("POST", "/api/v1/enquiries", { token: buyer, body: { stockId: item.id, name: "Sam Solo", email: "sam@example.com", message: "Is the van still there?" } });
  await page.getByRole("link", { name: "Enquiries" }).click();
  await page.getByRole("link", { name: "Sam Solo" }).click();
  await page.locator(".letter").getByText("Is the van still there?").waitFor();
  const reply = await page.getByRole("link", { name: "Reply by email" }).getAttribute("href");
  assert.match(reply, /^mailto:sam@example\.com\?subject=/);
  await page.getByLabel("Note").fill("Comes on Saturday.");
  await page.getByRole("button", { name: "Mark as replied" }).click();
  await page.locator(".about").getByText("Replied").waitFor();
  const enquiry = (await ask("GET", "/api/v1/enquiries", { token })).enquiries[0];
  assert.deepEqual([enquiry.status, enquiry.note], ["REPLIED", "Comes on Saturday."]);

  // A token.
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "API tokens" }).click();
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("Name").fill("Nightly feed");
  await page.getByRole("button", { name: "Make it" }).click();
  const value = await page.getByLabel("Token", { exact: true }).inputValue();
  assert.match(value, /^[0-9a-f]{64}$/);
  assert.equal((await call("GET", "/api/v1/me", { token: value })).status, 200);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: /^Revoke Nightly feed/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Revoked: Nightly feed.").waitFor();
  assert.equal((await call("GET", "/api/v1/me", { token: value })).status, 401);

  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}, { slow: true });
