// Notifications of this browser about new enquiries: its subscription to a push service, which the service knows as a notification token.
import { get, post } from "./api.js";
import { browserOf } from "./browsers.js";
import { session } from "./session.js";

const worker = "/dashboard/assets/notifier.js", tokens = "/api/v1/notification_tokens";
const owner = "notifications";  // in localStorage: the id of the user who switched them on here

// The only address that scripts of this page may give a sink for scripts.
const policy = globalThis.trustedTypes?.createPolicy("notifier", { createScriptURL: () => worker });

export const supported = () => "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

const registrationHere = () => navigator.serviceWorker.getRegistration(worker);

async function subscription() {
  return (await registrationHere())?.pushManager.getSubscription() ?? null;
}

const register = (found) => post(tokens, { token: JSON.stringify(found), platform: "WEB", deviceName: browserOf(navigator.userAgent).slice(0, 80) });

// The key with which browsers subscribe; null when the service sends nothing.
export const serviceKey = async () => (await get(`${tokens}/key`)).data.publicKey;

export const isOn = async () => localStorage.getItem(owner) === session.user.id && Notification.permission === "granted" && (await subscription()) !== null;

// Asks the person, who may say no: false then. Throws a Failure, or what the browser throws when it cannot reach its push service.
export async function switchOn(key) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const registration = await navigator.serviceWorker.register(policy ? policy.createScriptURL("") : worker);
  await new Promise((done) => {
    const begun = registration.active ? null : registration.installing ?? registration.waiting;
    if (!begun) return done();
    begun.addEventListener("statechange", () => registration.active && done());
  });
  await register(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  localStorage.setItem(owner, session.user.id);
  return true;
}

// The service learns of it from the push service.
export async function switchOff() {
  localStorage.removeItem(owner);
  await (await subscription())?.unsubscribe();
  await (await registrationHere())?.unregister();
}

// Once a page is loaded: the service forgets tokens that are not sent again, and another user of this browser gets nothing that was meant
// for somebody else.
export async function renew() {
  if (!supported() || !session.user) return;
  const found = await subscription();
  if (!found) return;
  if (localStorage.getItem(owner) === session.user.id) await register(found);
  else await switchOff();
}
