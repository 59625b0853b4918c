// Settings: notifications of this browser.
import { Failure, told } from "../api.js";
import { h } from "../dom.js";
import { fill, outline, refill } from "../loading.js";
import { say, warn } from "../messages.js";
import { isOn, serviceKey, supported, switchOff, switchOn } from "../notifications.js";
import { settingsPage } from "../settings.js";

const refused = "This browser does not let this page notify you. Allow it in the settings for this site, then load the page again.";

export function notificationsPage() {
  const box = h("div", {});
  const note = (text) => h("div", { class: "notice" }, h("p", {}, text));

  async function load() {
    if (!supported()) return { note: "This browser cannot be notified." };
    const key = await serviceKey();
    if (!key) return { note: "This service does not notify browsers. Who runs it can set that up." };
    if (Notification.permission === "denied") return { note: refused };
    return { key, on: await isOn() };
  }

  function draw({ note: why, key, on }) {
    if (why) return note(why);
    const button = h("button", { type: "button", class: on ? "btn" : "btn btn-main", onclick: () => change(button, key, !on) }, on ? "Turn off" : "Turn on");
    return [h("p", {}, on ? "Notifications are on in this browser." : "Notifications are off in this browser."), h("p", {}, button)];
  }

  async function change(button, key, on) {
    button.disabled = true;
    try {
      const done = on ? await switchOn(key) : (await switchOff(), true);
      if (done) say(on ? "This browser tells you of new enquiries." : "This browser tells you of enquiries no more.");
    } catch (failure) {
      warn(failure instanceof Failure ? told(failure) : "The browser cannot reach its push service. Try again in a while.");
    }
    await refill(box, load, draw);
    node.querySelector("h2").focus();
  }

  fill(box, load, draw, outline(2));
  const node = settingsPage("Notifications", "notifications",
    h("div", { class: "page-head" }, h("p", { class: "muted lead-in" }, "Get a notification on your screen when an enquiry arrives, even while this page is closed. It says what the enquiry is about, not who sent it. This counts for this browser, until you sign out.")),
    box);
  return { title: "Notifications", node };
}
