// What was sent to a webhook, and sending it once more.
import { Failure, get, post, signedIn, told } from "./api.js";
import { dialog } from "./dialog.js";
import { h, redraw, replace } from "./dom.js";
import { many, momentOf, timeNode } from "./format.js";
import { fill, outline } from "./loading.js";

// What a webhook can be told about, as [event, text].
export const events = [["enquiry.created", "New enquiries"], ["stock.changed", "Changes to stock"], ["job.changed", "Changes to jobs"],
  ["event.changed", "Changes to events"], ["post.changed", "Changes to posts"], ["upload.ready", "Uploads that are ready"],
  ["token.expiring", "Tokens that end soon"]];
export const eventName = (event) => events.find(([value]) => value === event)?.[1] ?? (event === "webhook.test" ? "Test message" : event);

const states = { DELIVERED: ["good", "Delivered"], WAITING: ["warn", "Waiting"], FAILED: ["bad", "Failed"] };

// Asks again while something waits to be sent.
const pause = 1000, longest = 20;

// `at(path)` is an address below the webhook's.
export function deliveriesDialog(webhook, at) {
  return dialog("Deliveries", (close) => {
    const box = h("div", {}), list = h("div", {});
    const problem = h("div", { class: "form-error", role: "alert" });
    const load = async () => (await get(at("deliveries"))).data;
    let shown = "", turn = 0;

    async function attempt(work) {
      replace(problem);
      try {
        await work();
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        replace(problem, h("div", { class: "notice notice-bad" }, h("p", {}, told(failure))));
      }
    }

    const again = (delivery) => attempt(async () => {
      await post(at(`deliveries/${delivery.id}/retry`));
      show(await load());
    });

    // Only what differs is drawn, so that the focus stays where it is. Looks again while something waits.
    function show(found, left = longest) {
      const text = JSON.stringify(found);
      if (text !== shown) redraw(list, draw(found));
      shown = text;
      const own = ++turn;
      const current = () => own === turn && list.isConnected;
      if (found.waiting === 0 || left === 0) return;
      setTimeout(() => current() && attempt(async () => {
        const next = await load();
        if (current()) show(next, left - 1);
      }), pause);
    }

    function row(delivery) {
      const [tone, text] = states[delivery.status];
      const label = delivery.status === "WAITING" ? "Try now" : "Send again";
      return h("li", { class: "row-item token" },
        h("div", { class: "row-main" }, h("h3", { class: "token-name" }, eventName(delivery.type)),
          h("p", { class: "muted" }, h("span", { class: `mark mark-${tone}` }, text), delivery.attemptedAt && [delivery.status === "WAITING" ? " last tried " : " ", timeNode(delivery.attemptedAt, momentOf(delivery.attemptedAt))],
            delivery.responseStatus !== null && ` · HTTP ${delivery.responseStatus}`, delivery.error && ` · ${delivery.error}`)),
        webhook.active && h("button", { type: "button", class: "btn btn-quiet", "data-keep": delivery.id, "aria-label": `${label}: ${eventName(delivery.type)}, ${momentOf(delivery.createdAt)}`,
          onclick: () => again(delivery) }, label));
    }

    const draw = ({ deliveries, waiting }) => [
      h("p", { class: "muted", role: "status" }, waiting ? `${many(waiting, "message")} to be sent.` : "Nothing waits to be sent."),
      deliveries.length > 0 ? h("ul", { class: "rows" }, deliveries.map(row)) : h("p", {}, "Nothing was sent in the last days."),
    ];

    fill(box, () => signedIn(load), (found) => (show(found), list), outline(3, "row"));
    return h("div", { class: "stack" }, h("p", { class: "muted code" }, webhook.url), box, problem,
      h("div", { class: "dialog-buttons" }, h("button", { type: "button", class: "btn btn-quiet", onclick: () => close(null) }, "Close")));
  }, { wide: true });
}
