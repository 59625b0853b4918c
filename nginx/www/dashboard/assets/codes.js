// The countries and currencies that the service accepts, from the files that it is compiled with (fcgi-app/fields/codes.cpp). The browser gives
// their names and signs only: its lists lack some codes, have old ones, and have the digits of coins in use, such as none for HUF.
import countryRows from "../../../../fcgi-app/fields/countries.inc";
import currencyRows from "../../../../fcgi-app/fields/currencies.inc";

const rows = (text) => Array.from(text.matchAll(/"(\w+)", "?([\w-]*)/g), ([, code, value]) => [code, value]);

// The currency of prices in each country, by the code of the country. "" in Antarctica.
export const countries = new Map(rows(countryRows));

const digits = new Map(rows(currencyRows).map(([code, text]) => [code, Number(text)]));  // -1: ISO 4217 gives no minor units, as for gold

export const isCurrency = (code) => digits.has(code);

// The codes of the currencies that have minor units.
export const currencies = [...digits.keys()].filter((code) => digits.get(code) >= 0);

// How many digits the smallest unit of a currency is away from its whole one: 2 for GBP, 0 for JPY. As minor_digits() of the service has it.
export function currencyDigits(currency) {
  const found = digits.get(currency) ?? -1;
  return found < 0 ? 2 : found;
}
