// Countries and currencies to choose from. The service has the last word.
import { Failure, get, withQuery } from "./api.js";
import { h } from "./dom.js";
import { field } from "./fields.js";

const countries = (
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK " +
  "CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS " +
  "GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV " +
  "LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM " +
  "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR " +
  "TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
).split(" ");

// Those of the codes that are no option of it yet.
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
    input.replaceChildren(none, ...[...had, ...missing(input, countries).map(option)].sort((a, b) => compare(a.text, b.text)));
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
const euro = "AD AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK".split(" ");
const ofCountry = { GB: "GBP", US: "USD", CH: "CHF", LI: "CHF", SE: "SEK", NO: "NOK", DK: "DKK", PL: "PLN", CZ: "CZK", JP: "JPY", AU: "AUD", CA: "CAD",
  BG: "BGN", HU: "HUF", RO: "RON", IS: "ISK", RS: "RSD", TR: "TRY", UA: "UAH", NZ: "NZD", ZA: "ZAR", IN: "INR", AE: "AED", BR: "BRL", MX: "MXN" };

// The currency of the organisation's country, that of this marketplace where the country tells nothing, or null when it cannot be read.
export async function currencyOf(organisation) {
  try {
    const { country } = (await get(withQuery("/api/v1/accounts", { organisationId: organisation.id }))).data;
    return euro.includes(country) ? "EUR" : (ofCountry[country] ?? "GBP");
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.status === 401) throw failure;
    return null;
  }
}

// The usual ones first. One that the browser does not know stays when a record has it.
export function currencyField(given) {
  const names = new Intl.DisplayNames("en-GB", { type: "currency", fallback: "none" });
  const option = (code) => h("option", { value: code }, [code, names.of(code)].filter(Boolean).join(" – "));
  const others = h("optgroup", { label: "All others" });
  const input = h("select", { class: "form-select" }, h("option", { value: "" }, "–"), h("optgroup", { label: "Usual" }, usual.map(option)), others);
  const add = (codes) => others.append(...missing(input, codes).map(option));
  // Some 150, as those of countries.
  setTimeout(() => add(Intl.supportedValuesOf("currency")));
  return field(given, input, {
    read: (value) => value || null,
    write(value) {
      if (value) add([value]);
      return value ?? "";
    },
  });
}
