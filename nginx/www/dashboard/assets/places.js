// Countries and currencies to choose from.
import { Failure, get, withQuery } from "./api.js";
import { countries, currencies } from "./codes.js";
import { h } from "./dom.js";
import { field } from "./fields.js";

// The codes that are no option of the input yet.
function missing(input, codes) {
  const there = new Set(Array.from(input.options, (each) => each.value));
  return codes.filter((code) => !there.has(code));
}

// A slow machine takes long to make 250 options: they come once the page is there, and at once only the one that a record has.
export function countryField(given) {
  const names = new Intl.DisplayNames("en-GB", { type: "region", fallback: "none" });
  const option = (code) => h("option", { value: code }, names.of(code) ?? code);
  const input = h("select", { class: "form-select" }, h("option", { value: "" }, "–"));
  setTimeout(() => {
    const { value } = input, { compare } = new Intl.Collator("en-GB");
    const [none, ...had] = input.options;
    input.replaceChildren(none, ...[...had, ...missing(input, [...countries.keys()]).map(option)].sort((a, b) => compare(a.text, b.text)));
    input.value = value;
  });
  return field(given, input, {
    read: (value) => value || null,
    write(value) {
      if (value) input.append(...missing(input, [value]).map(option));
      return value ?? "";
    },
  });
}

const usual = ["GBP", "EUR", "USD", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "JPY", "AUD", "CAD"];

// The currency of the organisation's country, that of this marketplace where the country tells nothing, or null when it cannot be read.
export async function currencyOf(organisation) {
  try {
    const { country } = (await get(withQuery("/api/v1/accounts", { organisationId: organisation.id }))).data;
    return countries.get(country) || "GBP";
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.status === 401) throw failure;
    return null;
  }
}

// The usual ones first. One without minor units, such as gold, stays when a record has it.
export function currencyField(given) {
  const names = new Intl.DisplayNames("en-GB", { type: "currency", fallback: "none" });
  const option = (code) => h("option", { value: code }, [code, names.of(code)].filter(Boolean).join(" – "));
  const others = h("optgroup", { label: "All others" });
  const input = h("select", { class: "form-select" }, h("option", { value: "" }, "–"), h("optgroup", { label: "Usual" }, usual.map(option)), others);
  const add = (codes) => others.append(...missing(input, codes).map(option));
  // Some 150, as those of countries.
  setTimeout(() => add(currencies));
  return field(given, input, {
    read: (value) => value || null,
    write(value) {
      if (value) add([value]);
      return value ?? "";
    },
  });
}
