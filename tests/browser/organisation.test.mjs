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

test("a logo that could not be sent holds back Save until it was sent or removed", async ({ page, signIn, expect }) => {
  expect("ERR_FAILED");
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  await signIn(dealer, { to: dealer.at("organisation") });
  const picture = await drawPicture(page, { name: "logo.png", width: 300, height: 300 });
  const announced = (url) => url.pathname === "/api/v1/uploads";
  const save = page.getByRole("button", { name: "Save" }), remove = page.getByRole("button", { name: "Remove" });
  await page.route(announced, (route) => route.abort());
  await page.getByLabel("Choose a logo").setInputFiles(picture);
  await page.getByText("There is no connection to the server.").waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ashford & Sons");
  await save.click();
  await page.getByText("A file could not be sent. Try it again, or remove it; then save.").waitFor();
  await page.getByText("There is no connection to the server.").waitFor();
  await page.unroute(announced);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Uploaded. Save to use it.").waitFor();
  assert.deepEqual(await page.getByRole("alert").allTextContents(), [""]);
  await save.click();
  await page.getByText("Saved.").waitFor();
  const now = await account(token, dealer.organisation);
  assert.deepEqual([now.name, now.logoUploadId !== null], ["Ashford & Sons", true]);
  // Removed is the one that was not sent; the logo stays.
  await page.route(announced, (route) => route.abort());
  await page.getByLabel("Choose a logo").setInputFiles(picture);
  await page.getByText("There is no connection to the server.").waitFor();
  await remove.click();
  assert.equal(await page.getByText("There is no connection to the server.").isVisible(), false);
  await page.getByLabel("Website").fill("ashford.example");
  await save.click();
  await eventually("the website", async () => (await account(token, dealer.organisation)).website === "https://ashford.example");
  assert.equal((await account(token, dealer.organisation)).logoUploadId, now.logoUploadId);
  // One that is on its way is stopped.
  let held;
  await page.unroute(announced);
  await page.route(announced, (route) => (held = route));
  await page.getByLabel("Choose a logo").setInputFiles(picture);
  await page.getByRole("progressbar", { name: "Logo on its way" }).waitFor();
  await eventually("the request", () => held);
  await remove.click();
  assert.equal(await page.getByRole("progressbar", { name: "Logo on its way" }).isVisible(), false);
  assert.equal(await page.locator(".logo-frame img").getAttribute("src"), now.logoUrl);
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
