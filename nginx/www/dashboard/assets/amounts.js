// What numbers in files mean, whoever wrote them: 1,234.56 and 1.234,56 and 1’234.50 and "£17,995" and "19.995,- €". Knows no other module.

export const currencies = { "£": "GBP", "€": "EUR", "¥": "JPY" };
const shape = /^([A-Z]{3}|[£€$¥])?\s*(\d[\d.,'’\s]*|[.,]\d+)\s*([A-Z]{3}|[£€$¥])?$/i;

const grouped = (text, mark) => text.split(mark).every((part, i) => (i === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part));
const count = (text, mark) => text.split(mark).length - 1;

// One mark with three digits behind it parts thousands or begins decimals; the number alone does not say which.
const isAmbiguous = (text) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);

// "19.995,-" has no decimals, and tells the mark before them.
const dashes = /([.,])[-–—]{1,2}(?=\s*([A-Z]{3}|[£€$¥])?$)/i;

function bare(text) {
  const found = shape.exec(text.trim().replace(dashes, ""));
  if (!found) return null;
  const unit = (found[1] ?? found[3] ?? "").toUpperCase();
  if (found[1] && found[3]) return null;
  return { digits: found[2].replace(/[\s'’]/g, ""), currency: unit === "$" ? null : (currencies[unit] ?? unit) || null, mark: dashes.exec(text.trim())?.[1] };
}

// The mark before the decimals of a number, or null where that cannot be told.
function markIn(text) {
  const { digits, mark } = bare(text) ?? {};
  if (mark) return mark;
  if (!digits || isAmbiguous(digits)) return null;
  const [points, commas] = [count(digits, "."), count(digits, ",")];
  if (points && commas) return digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ",";
  if (points + commas === 0) return null;
  if (points + commas > 1) return points ? "," : ".";
  return points ? "." : ",";
}

// The mark before the decimals in most of these texts; null when none tells.
export function markOf(texts) {
  let balance = 0;
  for (const text of texts) balance += { ".": 1, ",": -1 }[markIn(text)] ?? 0;
  return balance === 0 ? null : balance > 0 ? "." : ",";
}

// {whole, decimals, currency} of a text, or null when it is no amount. `mark` decides what is ambiguous.
export function readAmount(text, mark) {
  const found = bare(text);
  if (!found) return null;
  const { digits, currency } = found;
  const decimal = markIn(text) ?? mark;
  const thousands = decimal === "." ? "," : ".";
  const [whole, decimals = "", ...more] = digits.split(decimal);
  if (more.length > 0 || /\D/.test(decimals)) return null;
  if (whole.includes(thousands) ? !grouped(whole, thousands) : !/^\d*$/.test(whole)) return null;
  return { whole: whole.replaceAll(thousands, "") || "0", decimals, currency };
}

// An amount in the smallest units of its currency, which has so many digits; null when it has more decimals than that, and for
// "17.990" in a currency of fewer than three digits: it is 17,990 in some countries and 17.99 in others.
export function inUnits({ whole, decimals }, digits) {
  if (digits < 3 && decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) return null;
  const used = decimals.replace(/0+$/, "");
  return used.length > digits ? null : Number(whole + used.padEnd(digits, "0"));
}

export function writeAmount(units, digits, mark) {
  const text = String(units).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}${mark}${text.slice(-digits)}`;
}

// A percentage such as "-5", "+2.5 %" or "3,25", in hundredths of a per cent; null when it is none.
export function readPercent(text) {
  const found = /^([+\-−]?)\s*(\d{1,4})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim());
  return found && Number(`${found[2]}${(found[3] ?? "").padEnd(2, "0")}`) * (/[-−]/.test(found[1]) ? -1 : 1);
}

// A price changed by a percentage and rounded to the nearest of end, end + step, end + 2 × step …; halves go up. Prices are exact in BigInt
// alone: ten thousand times the largest is none of the numbers that are.
export function changedPrice(price, hundredths, { step = 1, end = 0 } = {}) {
  const exact = BigInt(price) * BigInt(10_000 + hundredths) - BigInt(end) * 10_000n;
  const unit = BigInt(step) * 10_000n;
  const twice = exact * 2n + unit;
  const times = twice / (unit * 2n) - (twice < 0n && twice % (unit * 2n) !== 0n ? 1n : 0n);
  return Number(times * BigInt(step) + BigInt(end));
}
