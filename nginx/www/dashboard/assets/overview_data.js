// The figures of an organisation: the overview's one request.
import { Failure, get } from "./api.js";
import { overviewPath } from "./early_requests.js";

export const loadOverview = (organisation) => get(overviewPath(organisation.id));

// How many of a list have each status. Null when that cannot be told: a list does without.
export async function statusCounts(organisation, list) {
  try {
    return (await loadOverview(organisation)).data[list].byStatus;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return null;
  }
}

const day = 24 * 3600_000;

// What the API is asked for: enquiries of the week that begins with this Monday, and jobs that end within so many days.
export function ofWeek(monday) {
  const last = new Date(Date.parse(`${monday}T00:00Z`) + 6 * day);
  return { from: monday, to: Number.isNaN(last.getTime()) ? monday : last.toISOString().slice(0, 10) };
}

export function endingWithin(days) {
  const from = new Date(), to = new Date(from.getTime() + days * day);
  return { expiresFrom: from.toISOString(), expiresTo: Number.isNaN(to.getTime()) ? days : to.toISOString() };
}

// The Monday of this week and of those before, the last first.
export function lastMondays(count) {
  const today = new Date(new Date().toISOString().slice(0, 10));
  const monday = today.getTime() - ((today.getUTCDay() + 6) % 7) * day;
  return Array.from({ length: count }, (_, i) => new Date(monday - i * 7 * day).toISOString().slice(0, 10));
}
