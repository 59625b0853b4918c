// How values are shown to people, and what the service's constants are called.
import { serviceNow } from "./clock.js";
import { currencyDigits } from "./codes.js";
import { h } from "./dom.js";

const locale = "en-GB";

// As Intl.DateTimeFormat writes them, of which a slow machine takes 100 ms to make the first one.
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];
export const two = (part) => String(part).padStart(2, "0");  // digits

// Of a time, in the reader's time zone: "24 Nov 2026", "24 Nov 2026, 09:05".
export function dayOf(time) {
  if (!time) return "–";
  const at = new Date(time);
  return `${at.getDate()} ${months[at.getMonth()]} ${at.getFullYear()}`;
}
export function momentOf(time) {
  if (!time) return "–";
  const at = new Date(time);
  return `${dayOf(time)}, ${two(at.getHours())}:${two(at.getMinutes())}`;
}

// Of a date, which is the same in all time zones: "24 Nov 2026".
export function dateOf(date) {
  const at = new Date(date);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

// A <time> that shows the day, and the full moment to who points at it.
export const timeNode = (time, text = dayOf(time)) => (time ? h("time", { datetime: time, title: momentOf(time) }, text) : "–");

// "3 minutes ago", as far back as a week.
export function sinceOf(time, now = Date.now()) {
  const minutes = Math.round((now - new Date(time)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  if (minutes < 7 * 24 * 60) return `${Math.round(minutes / 60 / 24)} d ago`;
  return dayOf(time);
}

// "4 h": how long something took, or has waited.
export function durationOf(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60)), hours = Math.round(minutes / 60), days = Math.round(hours / 24);
  if (minutes < 60) return many(minutes, "minute");
  return hours < 48 ? many(hours, "hour") : many(days, "day");
}

// "£", "$": the sign of a currency in countries that have it. The code where there is none.
export const signOf = (currency) => new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" })
  .formatToParts(0).find(({ type }) => type === "currency").value;

const formats = new Map();  // making one is slow for a list

function formatOf(currency, digits) {
  const key = `${currency} ${digits}`;
  if (!formats.has(key)) formats.set(key, makeFormat(currency, digits));
  return formats.get(key);
}

function makeFormat(currency, digits) {
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };  // else the browser decides
  try {
    return new Intl.NumberFormat(locale, { style: "currency", currency, ...places });
  } catch {
    return new Intl.NumberFormat(locale, places);  // there is no such currency
  }
}

const money = (amount, currency, digits) => formatOf(currency, digits).format(amount);

// A price in smallest units; without a currency it cannot be told how much that is.
export function priceOf(price, currency) {
  if (price === null) return "No price";
  if (!currency) return `${price} (no currency)`;
  const digits = currencyDigits(currency);
  return money(price / 10 ** digits, currency, price % 10 ** digits === 0 ? 0 : digits);
}

export function salaryOf(job) {
  const { salaryMin: min, salaryMax: max, salaryCurrency: currency } = job;
  if (min === null && max === null) return null;
  const show = (amount) => money(amount, currency, 0);
  const range = min === null ? `up to ${show(max)}` : max === null ? `from ${show(min)}` : min === max ? show(min) : `${show(min)} – ${show(max)}`;
  return job.salaryPeriod ? `${range} a ${nameOf(job.salaryPeriod).toLowerCase()}` : range;
}

// At most so many characters of a text, none of them halved: what JavaScript counts are halves of emojis, too.
export function cut(text, most) {
  const all = [...text];
  return all.length > most ? `${all.slice(0, most).join("")}…` : text;
}

const names = { ON_SITE: "On site", STOCK: "Stock item", SPAM: "Spam" };

// "FIXED_TERM" → "Fixed term".
export const nameOf = (constant) => names[constant] ?? constant.charAt(0) + constant.slice(1).toLowerCase().replaceAll("_", " ");

const tones = { PUBLISHED: "good", IN_STOCK: "good", REPLIED: "good", NEW: "strong", RESERVED: "warn", DUE_IN: "warn", DRAFT: "warn", POSTPONED: "warn", SPAM: "bad", CANCELLED: "bad" };

export const badge = (constant) => h("span", { class: `mark mark-${tones[constant] ?? "plain"}` }, nameOf(constant));

// Whether a job's last day is over: readers do not see it, whatever its status.
export const isOver = (job) => job.status === "PUBLISHED" && job.expiresAt !== null && new Date(job.expiresAt) < new Date();

export const jobBadge = (job) => (isOver(job) ? h("span", { class: "mark mark-bad" }, "Expired") : badge(job.status));

// Of events and posts: DRAFT, SCHEDULED (to be published) or PUBLISHED.
export const publicationOf = ({ publishedAt }) => (!publishedAt ? "DRAFT" : new Date(publishedAt) > serviceNow() ? "SCHEDULED" : "PUBLISHED");

// `shown` writes the moment of what is to be published.
export function publicationBadge(record, shown = dayOf) {
  const state = publicationOf(record);
  return state === "SCHEDULED" ? h("span", { class: "mark mark-warn" }, `From ${shown(record.publishedAt)}`) : badge(state);
}

// "12,345". The number has at most two decimals. Intl.NumberFormat writes the same, and is as slow to begin as for dates.
export const numberOf = (number) => String(number).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ",");
export const many = (count, one, more = `${one}s`) => `${numberOf(count)} ${count === 1 ? one : more}`;

// "New enquiries, changes to stock": one sentence of several.
export const listOf = (texts) => texts.map((text, i) => (i ? text.charAt(0).toLowerCase() + text.slice(1) : text)).join(", ");

// An email that breaks after its "@" where it has to.
export const emailNode = (email) => [email.slice(0, email.indexOf("@") + 1), h("wbr"), email.slice(email.indexOf("@") + 1)];

export function sizeOf(bytes) {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
