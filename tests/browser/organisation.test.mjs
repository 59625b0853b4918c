// The organisation's account, and going from one organisation to another.
import assert from "node:assert/strict";
import { addMember, ask, makeDealer, makeOrganisation, test, tokenOf } from "./testing.mjs";
import { drawPicture, eventually } from "./visit.mjs";

const account = (token, organisation) => ask("GET", `/api/v1/accounts?organisationId=${organisation.id}`, { token });

test("an administrator changes the account and its logo", async ({ page, signIn, expect }) => {
  expect(400);
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByLabel("Website").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Type a web address, such as https://www.example.com.").waitFor();
  await page.getByLabel("Website").fill("https://ashford.example/");
  await page.getByLabel("Country").selectOption("GB");
  await page.getByLabel("Choose a logo").setInputFiles({ name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("text") });
  await page.getByRole("alert").getByText("“list.txt” is not a JPEG, PNG or WebP picture.").waitFor();
  await page.getByLabel("Choose a logo").setInputFiles(await drawPicture(page, { name: "logo.png", width: 300, height: 300 }));
  await page.getByText("Uploaded. Save to use it.").waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ashford & Daughters");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const now = await account(token, dealer.organisation);
  assert.deepEqual([now.name, now.website, now.country], ["Ashford & Daughters", "https://ashford.example/", "GB"]);
  assert.equal(await page.locator(".logo-frame img").getAttribute("src"), now.logoUrl);
  await page.getByRole("heading", { level: 1, name: "Ashford & Daughters" }).waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".logo-frame .icon").waitFor();
  await eventually("the logo is taken away", async () => (await account(token, dealer.organisation)).logoUploadId === null);
  await page.reload();
  await page.locator(".logo-frame .icon").waitFor();
});

test("a member reads the account and cannot change it", async ({ page, signIn }) => {
  const dealer = await makeDealer({ role: "MEMBER" });
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByText("Only administrators can change this page.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  assert.equal(await page.getByLabel("Choose a logo").count(), 0);
  // What is empty is left out, with its part of the page.
  assert.deepEqual(await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents(), ["Organisation"]);
  assert.deepEqual(await page.getByRole("main").locator("dt, dd").allTextContents(), ["Name", dealer.organisation.name]);
  assert.equal(await page.getByRole("main").locator("input, textarea, select").count(), 0);
});

test("another organisation is another address of the same section", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const second = await makeOrganisation("Bexhill Tractors");
  await addMember(second, dealer, "MEMBER");
  const token = await tokenOf(dealer);
  await ask("POST", "/api/v1/stock", { token, body: { organisationId: second.id, reference: "T-1", title: "A tractor" } });
  await signIn(dealer, { to: dealer.at("stock") });
  await page.getByRole("heading", { name: "No stock yet" }).waitFor();
  await page.getByRole("button", { name: /^Organisation: / }).click();
  await page.getByRole("link", { name: /Bexhill Tractors/ }).click();
  await page.getByRole("link", { name: "A tractor" }).waitFor();
  assert.ok(page.url().endsWith(`/o/${second.slug}/stock`), page.url());
  await page.reload();
  await page.getByRole("link", { name: "A tractor" }).waitFor();
  // What is made here belongs to it.
  await page.getByRole("link", { name: "Add an item" }).click();
  await page.getByLabel("Title").fill("Another tractor");
  await page.getByLabel("Reference").fill("T-2");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("heading", { level: 1, name: "Another tractor" }).waitFor();
  const { stock } = await ask("GET", `/api/v1/stock?organisationId=${second.id}`, { token });
  assert.deepEqual(stock.map((item) => item.reference), ["T-2", "T-1"]);
  // The settings have no organisation in their address, and lead back to this one.
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  assert.ok(page.url().endsWith(`/o/${second.slug}/jobs`), page.url());
});
