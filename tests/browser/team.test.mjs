// Who belongs to an organisation; and the pages of letters' links. That the links work is tested with the letters (tests/mail).
import assert from "node:assert/strict";
import { invitationLink } from "../docs/letters.mjs";
import { addMember, ask, base, call, makeDealer, makeUser, password, test, tokenOf } from "./testing.mjs";

test("an administrator gives a role and removes a member", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const member = await makeUser("Max Mechanic");
  await addMember(dealer.organisation, member, "MEMBER");
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByRole("link", { name: "Team" }).click();
  await page.getByRole("heading", { level: 1, name: "Team" }).waitFor();
  await page.getByRole("button", { name: "Make an administrator Max Mechanic" }).click();
  await page.getByText(`${member.email} · Administrator`).waitFor();
  await page.getByRole("button", { name: "Remove Max Mechanic" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("Max Mechanic is no member any more.").waitFor();
  await page.getByText(member.email).waitFor({ state: "detached" });
});

test("whoever takes an administrator's role decides whether tokens that they created end, too", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const other = await makeUser("Max Mechanic");
  await addMember(dealer.organisation, other);
  const token = await tokenOf(other);
  const at = `?organisationId=${dealer.organisation.id}`;
  const { id } = await ask("POST", `/api/v1/accounts/integrations${at}`, { token, body: { name: "Nightly feed" } });
  const march = (await ask("POST", `/api/v1/accounts/integrations/${id}/tokens${at}`, { token, body: { name: "March" } })).token;
  const works = async () => (await call("GET", "/api/v1/stock", { token: march })).status === 200;
  await signIn(dealer, { to: dealer.at("integrations") });
  await page.getByRole("listitem").filter({ hasText: "March" }).getByText("by Max Mechanic").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Organisation" }).click();
  await page.getByRole("link", { name: "Team" }).click();

  await page.getByRole("button", { name: "Make a member Max Mechanic" }).click();
  const demotion = page.getByRole("dialog", { name: "Make Max Mechanic a member?" });
  await demotion.getByText("March, of Nightly feed").waitFor();
  await demotion.getByRole("button", { name: "Cancel" }).click();
  await page.getByText(`${other.email} · Administrator`).waitFor();
  await page.getByRole("button", { name: "Make a member Max Mechanic" }).click();
  await demotion.getByRole("button", { name: "Make a member" }).click();
  await page.getByText("Max Mechanic is a member now.").waitFor();
  assert.equal(await works(), true);

  await page.getByRole("button", { name: "Remove Max Mechanic" }).click();
  const removal = page.getByRole("dialog", { name: "Remove Max Mechanic?" });
  await removal.getByLabel("Revoke these tokens, too.").check();
  await removal.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Max Mechanic is no member any more.").waitFor();
  assert.equal(await works(), false);
});

test("a list that cannot be read again says so after a change, and can be read later", async ({ page, signIn, expect }) => {
  expect("ERR_FAILED");
  const dealer = await makeDealer();
  const member = await makeUser("Max Mechanic");
  await addMember(dealer.organisation, member, "MEMBER");
  await signIn(dealer, { to: dealer.at("team") });
  await page.getByText(`${member.email} · Member`).waitFor();
  await page.route("**/api/v1/accounts/members?*", (route) => route.abort());
  await page.getByRole("button", { name: "Make an administrator Max Mechanic" }).click();
  await page.getByText("Max Mechanic is an administrator now.").waitFor();
  await page.getByRole("alert").getByText("There is no connection to the server.").waitFor();
  await page.getByText(member.email).waitFor({ state: "detached" });
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText(`${member.email} · Administrator`).waitFor();
});

test("of two changes made quickly, the list that was read last is shown", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const [anna, bert] = [await makeUser("Anna"), await makeUser("Bert")];
  for (const user of [anna, bert]) await addMember(dealer.organisation, user, "MEMBER");
  await signIn(dealer, { to: dealer.at("team") });
  await page.getByText(`${bert.email} · Member`).waitFor();
  // The list after the first change arrives only after that of the second.
  let release;
  const second = new Promise((resolve) => (release = resolve));
  await page.route("**/api/v1/accounts/members?*", async (route) => {
    const response = await route.fetch();
    await second;
    await route.fulfill({ response });
  }, { times: 1 });
  const first = page.waitForResponse(/accounts\/members\?/);
  await page.getByRole("button", { name: "Make an administrator Anna" }).click();
  await page.getByText("Anna is an administrator now.").waitFor();
  await page.getByRole("button", { name: "Make an administrator Bert" }).click();
  await page.getByText(`${bert.email} · Administrator`).waitFor();
  release();
  await (await first).finished();
  await page.getByText(`${anna.email} · Administrator`).waitFor();
  await page.getByText(`${bert.email} · Administrator`).waitFor();
  assert.equal(await page.getByText(`${bert.email} · Member`).count(), 0);
});

test("who is invited stands below the members, and can be withdrawn", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await invitationLink("new@buyers.example", dealer.organisation.id);
  await signIn(dealer, { to: dealer.at("organisation") });
  await page.getByRole("link", { name: "Team" }).click();
  const rows = page.getByRole("main").getByRole("listitem");
  await rows.filter({ hasText: "new@buyers.example" }).getByRole("button", { name: "Send again to new@buyers.example" }).waitFor();
  assert.match(await rows.first().innerText(), /^Dana Dealer You\n/);
  await page.getByRole("button", { name: "Withdraw new@buyers.example" }).click();
  await page.getByText("The invitation to new@buyers.example is withdrawn.").waitFor();
  await page.getByRole("heading", { name: "Invited" }).waitFor({ state: "detached" });
  await page.getByRole("main").getByRole("link", { name: "Organisation" }).click();
  await page.getByRole("heading", { level: 1, name: dealer.organisation.name }).waitFor();
});

test("who leaves sees the organisation no more", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await addMember(dealer.organisation, await makeUser("Max Mechanic"), "ADMIN");
  await signIn(dealer, { to: dealer.at("team") });
  await page.getByRole("button", { name: "Leave Ashford Motors" }).click();
  await page.getByRole("dialog", { name: "Leave Ashford Motors?" }).getByRole("button", { name: "Leave" }).click();
  await page.getByText("You have left Ashford Motors.").waitFor();
  await page.getByRole("link", { name: "Your profile" }).click();
  await page.getByText("You belong to no organisation.").waitFor();
});

test("the last administrator cannot leave, and is told why", async ({ page, signIn, expect }) => {
  expect(409);
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("team") });
  await page.getByRole("button", { name: /^Leave/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByText("An organisation needs an ADMIN").waitFor();
});

test("without a mail server, what needs letters says so", async ({ page, signIn, expect }) => {
  expect(409);
  const dealer = await makeDealer();
  await page.goto(`${base}/dashboard/`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();  // the page before has a field of this name, too
  await page.getByLabel("Email").fill(dealer.email);
  await page.getByRole("button", { name: "Send the email" }).click();
  await page.getByRole("alert").getByText("This service sends no mail").waitFor();
  await signIn(dealer, { to: dealer.at("team") });
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByRole("dialog").getByLabel("Email").fill("new@dealer.example");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByRole("alert").getByText("This service sends no mail").waitFor();
});

test("the token of a link leaves the address bar, and an old one is told", async ({ page, expect }) => {
  expect(404);
  const token = "0".repeat(64);
  await page.goto(`${base}/dashboard/#/reset/${token}`);
  await page.getByLabel("New password", { exact: true }).fill("entirely different horse");
  await page.getByLabel("New password, again").fill("entirely different horse");
  assert.equal(page.url(), `${base}/dashboard/reset`);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("This link was used or is too old.").waitFor();
});

// A user who is invited, with the form of the link filled in.
async function invited(page, email) {
  const dealer = await makeDealer();
  const { token } = await invitationLink(email, dealer.organisation.id);
  await page.goto(`${base}/dashboard/#/invitation/${token}`);
  await page.getByLabel("Your name").fill("Nora New");
  await page.getByLabel("Password", { exact: true }).fill(password);
}

test("an account is made though signing in fails after it, and the page says so", async ({ page, expect }) => {
  expect(429);
  const email = `nora-${Date.now()}@buyers.example`;
  await invited(page, email);
  await page.route("**/dashboard/api/session", (route) => route.request().method() === "POST" ? route.fulfill({ status: 429, json: { error: "Too many requests" } }) : route.continue());
  await page.getByRole("button", { name: "Make my account" }).click();
  await page.getByText("Your account is made.").waitFor();
  await page.unrouteAll();
  await page.getByRole("link", { name: `Sign in as ${email}` }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Account: Nora New" }).waitFor();
});

test("an invitation whose answer was lost is told to be accepted when the button is pressed again", async ({ page, expect }) => {
  expect(404, "ERR_FAILED");
  await invited(page, `nils-${Date.now()}@buyers.example`);
  // That the second answer is this one is tested with the letters; the service counts such attempts.
  let asked = 0;
  await page.route("**/dashboard/api/invitation/*", (route) => route.request().method() === "GET" ? route.continue()
    : ++asked === 1 ? route.abort() : route.fulfill({ status: 404, json: { error: "Not found" } }));
  await page.getByRole("button", { name: "Make my account" }).click();
  await page.getByText("There is no connection to the server.").waitFor();
  await page.getByRole("button", { name: "Make my account" }).click();
  await page.getByText("This invitation has been accepted, was withdrawn, or has expired.").waitFor();
  await page.getByRole("link", { name: "Back to sign in" }).waitFor();
});

test("an invitation is sent once when its answer gets lost", async ({ page, signIn, expect }) => {
  expect("ERR_FAILED");
  const dealer = await makeDealer();
  await signIn(dealer, { to: dealer.at("team") });
  const keys = [];
  await page.route("**/api/v1/accounts/invitations?*", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    keys.push(route.request().headers()["idempotency-key"]);
    return keys.length === 1 ? route.abort() : route.fulfill({ status: 201, json: { data: { email: "new@dealer.example" } } });
  });
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByRole("dialog").getByLabel("Email").fill("new@dealer.example");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByRole("dialog").getByText("There is no connection to the server.").waitFor();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByText("An invitation to new@dealer.example is on its way.").waitFor();
  assert.match(keys[0], /^[0-9a-f-]{36}$/);
  assert.equal(keys[1], keys[0]);
});

test("who is no administrator any more sees the team as members do", async ({ page, signIn, expect }) => {
  expect(403);
  const dealer = await makeDealer();
  const other = await makeUser("Max Mechanic");
  await addMember(dealer.organisation, other);
  const token = await tokenOf(dealer);
  const at = `?organisationId=${dealer.organisation.id}`;
  const { members } = await ask("GET", `/api/v1/accounts/members${at}`, { token });
  const { userId } = members.find(({ email }) => email === other.email);
  const setRole = (role) => ask("PATCH", `/api/v1/accounts/members/${userId}${at}`, { token, body: { role } });
  const seesMembers = async () => {
    await page.getByText(`${other.email} · Member`).waitFor();
    assert.deepEqual(await page.locator(".page button:visible").allTextContents(), ["Leave"]);
  };
  await signIn(other, { to: dealer.at("organisation") });
  await setRole("MEMBER");
  await page.getByRole("link", { name: "Team" }).click();
  await seesMembers();
  await setRole("ADMIN");
  await page.reload();
  await page.getByRole("button", { name: "Invite somebody" }).waitFor();
  await page.getByText(`${other.email} · Administrator`).waitFor();
  await setRole("MEMBER");
  await page.getByRole("button", { name: "Make a member Dana Dealer" }).click();
  await seesMembers();
});
