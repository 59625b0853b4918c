// Settings: notifications. No push service can be reached here, so the subscription is one of the test; the browser takes messages as if one
// had sent them.
import assert from "node:assert/strict";
import { ask, base, makeDealer, makeUser, test, tokenOf } from "./testing.mjs";
import { isFirefox } from "./visit.mjs";

const settings = "/dashboard/settings/notifications";

// Stands for what the browser would get from its push service. The page sees that it has subscribed until it unsubscribes.
const pretend = () => {
  if (!("PushManager" in globalThis)) return;  // the empty page before the first one
  const bytes = (length) => new Uint8Array(length).fill(7).buffer;
  const make = () => ({
    toJSON: () => ({ endpoint: "https://push.example/of-this-browser", expirationTime: null,
      keys: { p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
    getKey: () => bytes(16),
    unsubscribe: async () => (sessionStorage.removeItem("subscribed"), true),
  });
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    sessionStorage.setItem("subscribed", JSON.stringify({ userVisibleOnly, applicationServerKey }));
    return make();
  };
  PushManager.prototype.getSubscription = async () => (sessionStorage.getItem("subscribed") ? make() : null);
};

async function switchOn({ page, context, allow, signIn }, dealer) {
  await context.addInitScript(pretend);
  await allow("notifications");
  await signIn(dealer, { to: settings });
  await page.getByText("Notifications are off in this browser.").waitFor();
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/v1/notification_tokens"));
  await page.getByRole("button", { name: "Turn on" }).click();
  const [request] = await Promise.all([sent, page.getByText("Notifications are on in this browser.").waitFor()]);
  return request.postDataJSON();
}

test("notifications are switched on, survive a new page, and are switched off", async (visit) => {
  const { page } = visit;
  const dealer = await makeDealer();
  const sent = await switchOn(visit, dealer);
  assert.equal(sent === null, isFirefox);  // as bodies() has it
  if (sent) assert.deepEqual([sent.platform, sent.deviceName, JSON.parse(sent.token).endpoint], ["WEB", "Chrome on Linux", "https://push.example/of-this-browser"]);
  const subscribed = JSON.parse(await page.evaluate(() => sessionStorage.getItem("subscribed")));
  const { publicKey } = await ask("GET", "/api/v1/notification_tokens/key", { token: await tokenOf(dealer) });
  assert.deepEqual(subscribed, { userVisibleOnly: true, applicationServerKey: publicKey });
  // Each page sends it again, so that the service does not forget it.
  const again = page.waitForRequest((request) => request.url().endsWith("/api/v1/notification_tokens"));
  await page.reload();
  await again;
  await page.getByText("Notifications are on in this browser.").waitFor();
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("Notifications are off in this browser.").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem("subscribed")), null);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
}, { push: true });

test("a message shows the item, and a click opens the enquiry", async (visit) => {
  const { page, context } = visit;
  const dealer = await makeDealer();
  await switchOn(visit, dealer);
  const enquiry = await ask("POST", "/api/v1/enquiries", { token: await tokenOf(await makeUser("Sam Solo")),
    body: { organisationId: dealer.organisation.id, name: "Sam Solo", message: "When do you open?" } });
  const devtools = await context.newCDPSession(page);
  const found = new Promise((resolve) => devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) =>
    registrations.forEach((each) => each.scopeURL === `${base}/dashboard/assets/` && resolve(each.registrationId))));
  await devtools.send("ServiceWorker.enable");
  const data = { id: enquiry.id, organisationId: dealer.organisation.id, type: "STOCK", title: "2019 Volvo XC40" };
  await devtools.send("ServiceWorker.deliverPushMessage", { origin: base, registrationId: await found, data: JSON.stringify({ type: "enquiry.created", data }) });
  const shown = () => page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.getRegistration("/dashboard/assets/"))?.getNotifications();
    return (all ?? []).map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });
  await page.waitForFunction(async () => (await (await navigator.serviceWorker.getRegistration("/dashboard/assets/")).getNotifications()).length > 0);
  assert.deepEqual(await shown(), [{ title: "New enquiry", body: "2019 Volvo XC40", tag: enquiry.id, data }]);
  // No click reaches it here: the address that it opens.
  await page.goto(`${base}/dashboard/enquiry/${dealer.organisation.id}/${enquiry.id}`);
  await page.locator(".letter").getByText("When do you open?").waitFor();
  assert.equal(new URL(page.url()).pathname, dealer.at("enquiries", enquiry.id));
  await page.goto(`${base}/dashboard/enquiry/${enquiry.id}/${enquiry.id}`);
  await page.locator(".empty").waitFor();
}, { push: true, notInFirefox: "only Chromium takes a message from outside" });

test("another user of this browser is not told what was meant for the first one", async (visit) => {
  const { page, context, signIn } = visit;
  await switchOn(visit, await makeDealer());
  await context.clearCookies();
  await signIn(await makeDealer(), { to: settings });
  await page.getByText("Notifications are off in this browser.").waitFor();
  await page.waitForFunction(() => sessionStorage.getItem("subscribed") === null);
}, { push: true });

test("who said no is told how to change it", async ({ page, context, signIn }) => {
  await context.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await signIn(await makeDealer(), { to: settings });
  await page.getByText("This browser does not let this page notify you.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Turn on" }).count(), 0);
});
