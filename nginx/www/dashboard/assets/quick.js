// What is changed by one tap where it is shown: the availability and the status of an item, and its price.
import { Failure, patch, told } from "./api.js";
import { wish } from "./attempt.js";
import { currencyDigits } from "./codes.js";
import { h, redraw } from "./dom.js";
import { reasonOf } from "./failures.js";
import { priceField } from "./fields.js";
import { badge, nameOf, priceOf } from "./format.js";
import { menu } from "./menu.js";
import { say, warn } from "./messages.js";

const availabilities = ["DUE_IN", "IN_STOCK", "RESERVED", "SOLD"];

// One button for each value; the one that holds is pressed. change(change, done) saves it.
export function availabilityButtons(item, change) {
  const choose = (value) => change({ availability: value }, `“${item.title}”: ${nameOf(value).toLowerCase()}.`);
  return h("div", { class: "taps", role: "group", "aria-label": `In stock or sold: ${item.title}` },
    availabilities.map((value) => h("button", { type: "button", class: `tap tap-${value.toLowerCase().replace("_", "-")}`, "data-keep": value, "aria-pressed": String(value === item.availability),
      onclick: () => choose(value) }, nameOf(value))));
}

const moves = {
  DRAFT: ["Publish", { status: "PUBLISHED" }, "Published: buyers see it now."],
  PUBLISHED: ["Archive", { status: "ARCHIVED" }, "Archived: buyers no longer see it."],
  ARCHIVED: ["Back to draft", { status: "DRAFT" }, "It is a draft again."],
};

export function statusMenu(item, change) {
  const [text, part, done] = moves[item.status];
  return menu(`Status of ${item.title}`, badge(item.status), [h("button", { type: "button", class: "menu-item", onclick: () => change(part, done) }, text)], "menu-status");
}

// Its text, which turns into a field. Enter saves, Escape leaves it as it was.
export function priceButton(item, change) {
  const box = h("div", { class: "quick-price" });
  const draw = () => redraw(box, h("button", { type: "button", class: "quick-text", "data-keep": "price", "aria-label": `Price of ${item.title}: ${priceOf(item.price, item.currency)}. Change`, onclick: edit },
    priceOf(item.price, item.currency)));
  function edit() {
    const field = priceField({ name: "price", label: `Price of ${item.title}`, obvious: true }, () => currencyDigits(item.currency), () => item.currency ?? "");
    field.set(item.price);
    const leave = () => {
      delete box.dataset.typing;
      draw();
      box.firstChild.focus();
    };
    async function save(event) {
      event.preventDefault();
      try {
        const price = field.get();
        if (price === item.price) return leave();
        delete box.dataset.typing;
        await change({ price }, `“${item.title}”: ${priceOf(price, item.currency)}.`);
        box.dataset.typing = "";
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        field.error(failure.why ?? failure.message);
        field.focus();
      }
    }
    const form = h("form", { novalidate: true, "data-keep": "price", onsubmit: save, onkeydown: (event) => event.key === "Escape" && leave() }, field.node,
      h("button", { type: "submit", class: "btn btn-main" }, "Save"), h("button", { type: "button", class: "btn btn-quiet", onclick: leave }, "Cancel"));
    box.replaceChildren(form);
    box.dataset.typing = "";
    field.input.select();
  }
  draw();
  return box;
}

// change() for a row of a list: saves it at `address` and draws the row with the answer.
export const changeRow = (address, item, draw) => (change, done) => wish(address, item, change, async () => {
  try {
    draw((await patch(address, change)).data);
    say(done);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    warn(`Not saved. ${failure.field ? reasonOf(failure.message) : told(failure)}`);
  }
});
