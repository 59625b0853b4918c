// All stock of an organisation in one request, read and written; what is written is written whole or not at all.
import { Failure, get, put, withQuery } from "./api.js";

const path = "/api/v1/stock/feed";
const patience = 300_000;
export const mostLines = 100_000;

// {data: [item…], etag}. The tag is another one as soon as any item changes.
export const readFeed = (organisationId) => get(withQuery(path, { organisationId }), { patience });

// `options`: mode, onError, dryRun. Throws a Failure 412 when any item has changed since `ifMatch`.
export const writeFeed = (organisationId, lines, { ifMatch, ...options }) =>
  put(withQuery(path, { organisationId, ...options }), undefined, { lines, ifMatch, patience });

// An item as a line: all that a line would empty by leaving it out. Pictures and documents stay when it leaves them out.
export const lineOf = ({ id, organisationId, images, documents, createdAt, updatedAt, ...line }) => line;

const overtaken = "It has been changed since.";

// A task for later(): gives items new values, `changes` being [{item, after}]. An item that is not as it was any more stays as it is.
export function changeItems(organisationId, changes) {
  return async function run() {
    // Somebody else may save between the reading and the writing: then it reads again.
    for (let tries = 0; tries < 5; tries++) {
      const { data, etag } = await readFeed(organisationId);
      const now = new Map(data.map((item) => [item.id, item]));
      const failures = [], sent = [];
      for (const { item, after } of changes) {
        const current = now.get(item.id);
        const isDone = current && Object.entries(after).every(([name, value]) => current[name] === value);
        if (isDone) continue;  // by an answer that got lost
        if (!current) failures.push({ name: item.title, why: "It has been deleted since." });
        else if (current.updatedAt !== item.updatedAt) failures.push({ name: item.title, why: overtaken });
        else sent.push({ ...lineOf(current), ...after });
      }
      try {
        const refused = sent.length > 0 ? (await writeFeed(organisationId, sent, { ifMatch: etag, onError: "skip" })).data : { failed: 0, failures: [] };
        failures.push(...refused.failures.map(({ line, error }) => ({ name: sent[line - 1].title, why: error })));
        return { done: changes.length - failures.length - (refused.failed - refused.failures.length), failures };
      } catch (failure) {
        if (failure.status !== 412) throw failure;
      }
    }
    throw new Failure(409, "Conflict: the stock is being changed by somebody else all the time");
  };
}

// A task for later(): one request for each item, `act` being async (item). It can be run again, and goes on where it was.
export function oneByOne(items, act) {
  const failures = [];
  let at = 0;
  return async function run({ progress, isStopped, wait }) {
    for (; at < items.length && !isStopped(); at++) {
      progress(at);
      try {
        await act(items[at]);
      } catch (failure) {
        if (failure.status === 429) {
          await wait(failure.wait ?? 60);
          at--;
        } else if (![400, 404, 409, 412].includes(failure.status)) {
          throw failure;
        } else {
          failures.push({ name: items[at].title, why: failure.status === 412 ? overtaken : failure.message });
        }
      }
    }
    return { done: at - failures.length, left: items.length - at, failures };
  };
}
