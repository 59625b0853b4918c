// Waiting for what the service has: a quiet outline of the page meanwhile, and what to do when it does not come.
import { Failure, told } from "./api.js";
import { h, replace, takeFocus } from "./dom.js";
import { noteWork } from "./early_requests.js";
import { go, here } from "./router.js";
import { session } from "./session.js";

// Lines as high as what will stand there, so that nothing jumps.
export const outline = (lines, kind = "line") =>
  h("div", { class: "outline", "aria-hidden": "true" }, Array.from({ length: lines }, () => h("div", { class: `outline-${kind}` })));

// To sign-in, and back here afterwards.
export function signInFirst() {
  session.user = null;
  go(`/dashboard/sign-in?next=${encodeURIComponent(here())}`, { ask: false, replace: true });
}

// The failure of a read in place of what was read. After "too many requests" it tries again by itself when the wait is over.
export function failureNotice(failure, again) {
  const clock = h("span", { "aria-live": "off" });
  const notice = h("div", { class: "notice notice-bad", role: "alert" }, h("p", {}, told(failure), " ", clock),
    h("button", { type: "button", class: "btn btn-quiet", onclick() {
      takeFocus(notice.parentNode);
      again();
    } }, "Try again"));
  if (failure.status !== 429) return notice;
  const until = Date.now() + (failure.wait ?? 60) * 1000;
  const timer = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    clock.textContent = left > 0 ? `Going on in ${left} s.` : "";
    if (left > 0 && notice.isConnected) return;
    clearInterval(timer);
    if (notice.isConnected) again();
  }, 500);
  return notice;
}

// Fills `box` with what build(await task()) makes, or promises to make; `box` shows `waiting` until then.
export function fill(box, task, build, waiting = outline(6)) {
  const filled = fillNow(box, task, build, waiting);
  noteWork(filled);
  return filled;
}

// Fills it anew; what it shows stays until then.
export const refill = (box, task, build) => fill(box, task, build, [...box.childNodes]);

const fillings = new WeakMap();  // the last one of each box

// An answer that comes after the box is to be filled anew is not shown.
async function fillNow(box, task, build, waiting) {
  const mine = {};
  fillings.set(box, mine);
  const overtaken = () => fillings.get(box) !== mine;
  replace(box, waiting);
  box.setAttribute("aria-busy", "true");
  try {
    const read = await task();
    if (overtaken()) return;
    const made = build(read);
    const ready = made instanceof Promise ? await made : made;
    if (!overtaken()) replace(box, ready);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (overtaken()) return;
    if (failure.status === 401 && !failure.refused) return signInFirst();
    replace(box, failureNotice(failure, () => fill(box, task, build, waiting)));
  } finally {
    if (!overtaken()) box.removeAttribute("aria-busy");
  }
}
