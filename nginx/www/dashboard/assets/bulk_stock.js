// What can be done with many stock items at once.
import { Failure } from "./api.js";
import { changedPrice, readPercent } from "./amounts.js";
import { bulkDialog, planOf } from "./bulk.js";
import { deleteMany } from "./bulk_steps.js";
import { currencyDigits } from "./codes.js";
import { changeItems } from "./feed.js";
import { choiceField, textField } from "./fields.js";
import { many, nameOf, numberOf, priceOf } from "./format.js";
import { later } from "./pending.js";
import { statusAfter } from "./stock_status.js";

const noun = ["item"];
const path = "/api/v1/stock";
const yes = (count) => `Change ${many(count, ...noun)}`;
const options = (...values) => values.map((value) => [value, nameOf(value)]);

// The choice that a dialog begins with stands in it already.
function choice(given, values) {
  const field = choiceField(given, values, { empty: null });
  field.set(values[0][0]);
  return field;
}

const roundings = [
  ["1", "Whole numbers", { units: 1 }], ["0", "Not rounded", {}], ["10", "Nearest 10", { units: 10 }], ["50", "Nearest 50", { units: 50 }], ["100", "Nearest 100", { units: 100 }],
  ["90", "Ending in 90, such as 17,990", { units: 100, end: 90 }], ["95", "Ending in 95, such as 17,995", { units: 100, end: 95 }],
];
const mostPrice = 1_000_000_000_000;

function priceAfter(item, hundredths, { units, end = 0 }) {
  if (item.price === null) return { why: "It has no price." };
  const whole = 10 ** currencyDigits(item.currency ?? "");
  const price = changedPrice(item.price, hundredths, units ? { step: units * whole, end: end * whole } : {});
  if (price === item.price) return null;
  if (price <= 0) return { why: "Rounded in this way it would have no price left." };
  return price > mostPrice ? { why: "The new price would be too high." } : { price };
}

export function stockActions(organisation) {
  // Asks by a dialog, then waits and sends. `what(count)` says what is done.
  async function change(title, what, given) {
    const changes = await bulkDialog(title, { noun, yes, ...given });
    return changes && later({ organisation, what: what(many(changes.length, ...noun)), done: (count) => `${many(count, ...noun)} changed.`, run: changeItems(organisation.id, changes) });
  }

  function status(items) {
    const field = choice({ name: "status", label: "Status" }, options("PUBLISHED", "ARCHIVED", "DRAFT"));
    return change("Set the status", (which) => `Set ${which} to “${nameOf(field.get())}”`, {
      fields: [field], note: "Buyers see what is published.", plan: () => planOf(items, (item) => statusAfter(item, field.get()), (item) => nameOf(item.status)),
    });
  }

  function availability(items) {
    const field = choice({ name: "availability", label: "Availability" }, options("IN_STOCK", "DUE_IN", "RESERVED", "SOLD"));
    return change("Set the availability", (which) => `Set ${which} to “${nameOf(field.get())}”`, {
      fields: [field], plan: () => planOf(items, (item) => (item.availability === field.get() ? null : { availability: field.get() }), (item) => nameOf(item.availability)),
    });
  }

  function price(items) {
    const percent = textField({ name: "percent", label: "Change by (%)", hint: "Such as −5 or 2.5" });
    const rounding = choice({ name: "rounding", label: "Rounding", hint: "To the nearest; halves go up" }, roundings);
    percent.input.inputMode = "text";
    function read() {
      const text = percent.get();
      const hundredths = text === null ? 0 : readPercent(text);
      if (hundredths === null || hundredths <= -10_000 || hundredths > 100_000) throw new Failure(400, "", { field: "percent", why: "is no percentage between −99.99 and 1000" });
      return hundredths;
    }
    const rule = () => roundings.find(([value]) => value === rounding.get())[2];
    return change("Change the price", (which) => `Change the price of ${which} by ${numberOf(read() / 100)} %`, {
      fields: [percent, rounding], heads: ["Price now", "New price"],
      plan() {
        const hundredths = read();
        return percent.get() === null ? { changes: [], same: items.length, refused: [] } : planOf(items, (item) => priceAfter(item, hundredths, rule()), (item) => priceOf(item.price, item.currency));
      },
    });
  }

  return [
    { label: "Status", act: status }, { label: "Availability", act: availability }, { label: "Price", act: price },
    organisation.role === "ADMIN" && { label: "Delete", kind: "text-danger", act: (items) => deleteMany(organisation, path, noun, items) },
  ].filter(Boolean);
}
