// Changes of many records by a request for each: deletions, and what no feed can carry.
import { Failure, get, getOwn, patch, remove } from "./api.js";
import { bulkDialog } from "./bulk.js";
import { many } from "./format.js";
import { oneByOne } from "./feed.js";
import { warn } from "./messages.js";
import { later } from "./pending.js";

// The service takes 120 changes a minute.
export const mostSteps = 100;

const readerOf = (path) => (path === "/api/v1/jobs" ? getOwn : get);

// Throws unless a record is as it was when it was selected.
function check(now, item) {
  if (now.data.updatedAt !== item.updatedAt) throw new Failure(412, "Precondition failed");
}

const removing = (path, read) => async (item) => {
  const address = `${path}/${item.id}`;
  try {
    const now = await read(address);
    check(now, item);
    await remove(address, { ifMatch: now.etag });
  } catch (failure) {
    if (failure.status !== 404) throw failure;  // else it is gone: the answer to the first try may have got lost
  }
};

const patching = (path, read) => async ({ item, after }) => {
  const address = `${path}/${item.id}`;
  const now = await read(address);
  const isDone = Object.entries(after).every(([name, value]) => now.data[name] === value);
  if (isDone) return;
  check(now, item);
  await patch(address, after, { ifMatch: now.etag });
};

// Deletes records of a list whose noun is [one]: asks, then waits and sends. True when it was sent.
export async function deleteMany(organisation, path, noun, items) {
  if (items.length > mostSteps) {
    return void warn(`At most ${mostSteps} can be deleted at once, as each is a request of its own. Select fewer, or archive them.`);
  }
  const changes = await bulkDialog(`Delete ${many(items.length, ...noun)}?`, {
    fields: [], noun, kind: "danger", verb: "deleted", yes: (count) => `Delete ${many(count, ...noun)}`,
    note: "What is deleted is gone for good. To withdraw it and keep it, archive it instead.",
    plan: () => ({ changes: items.map((item) => ({ item })), same: 0, refused: [] }),
  });
  return changes && later({
    organisation, what: `Delete ${many(items.length, ...noun)}`, steps: items.length,
    done: (count) => `${many(count, ...noun)} deleted.`, run: oneByOne(items, removing(path, readerOf(path))),
  });
}

// Gives records new values, each by its PATCH.
export const patchMany = (path, changes) => oneByOne(changes.map((change) => ({ ...change, title: change.item.title })), patching(path, readerOf(path)));
