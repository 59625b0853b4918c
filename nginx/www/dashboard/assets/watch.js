// Looks for new enquiries of one organisation while the page can be seen: every half minute a question that is answered by 304 as long as
// nothing has changed.
import { get, withQuery, Failure } from "./api.js";
import { firstPage } from "./early_requests.js";

const pause = 30_000;
const first = 3000;
const patience = 4 * 3600_000;  // without a key or a click: else a forgotten tab would keep its session alive for ever
const path = "/api/v1/enquiries";
let watched = null;  // {id, since, etag, seen, count}
let timer = null;
let touched = Date.now(), asleep = false;
const listeners = new Set();  // {node, tell}

export const newEnquiries = () => watched?.count ?? 0;

// Calls tell(changed) after news, for as long as the node is in the document; `changed` are the enquiries that changed, perhaps none.
export const onNews = (node, tell) => listeners.add({ node, tell });

function publish(changed) {
  for (const { node, tell } of listeners) if (node.isConnected) tell(changed);
}

async function count(watch) {
  const { data } = await get(withQuery(path, { organisationId: watch.id, status: "NEW", limit: 1 }));
  watch.count = data.total;
}

// The first question tells where to begin. What came after the page did is news, by the server's clock.
async function begin(watch) {
  await firstPage;  // on a slow network nothing competes with it
  const { data, header } = await get(withQuery(path, { organisationId: watch.id, limit: 5 }));
  const opened = Date.parse(header("Date")) - (Date.now() - watch.began);
  await count(watch);
  watch.since = header("X-Next-Updated-Since");
  for (const each of data.enquiries) watch.seen.set(each.id, each.updatedAt);
  if (watch === watched) publish(data.enquiries.filter(({ createdAt }) => Date.parse(createdAt) >= opened));
}

async function look(watch) {
  const changed = [];
  let page = 1, pages = 1, next = null, etag = null;
  do {
    const answer = await get(withQuery(path, { organisationId: watch.id, updatedSince: watch.since, limit: 100, page }),
      { ifNoneMatch: page === 1 ? watch.etag : null });
    if (answer.unchanged) return;
    if (page === 1) [next, etag] = [answer.header("X-Next-Updated-Since"), answer.etag];
    pages = answer.data.pages;
    // updatedSince is inclusive: the same state may come twice.
    changed.push(...answer.data.enquiries.filter((each) => watch.seen.get(each.id) !== each.updatedAt));
  } while (++page <= pages);
  // As long as nothing is new the question stays the same, and its answer a 304.
  if (changed.length === 0) {
    watch.etag = etag;
    return;
  }
  // When this fails the next look finds them again.
  await count(watch);
  for (const each of changed) watch.seen.set(each.id, each.updatedAt);
  Object.assign(watch, { since: next, etag: null });
  if (watch === watched) publish(changed);
}

async function round() {
  clearTimeout(timer);
  const watch = watched;
  asleep = Date.now() - touched > patience;
  if (!watch || document.hidden || asleep) return;
  let wait = pause;
  try {
    await (watch.since ? look(watch) : begin(watch));
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.status === 401) return;  // the next thing the user does says so
    wait = Math.max(pause, (failure.wait ?? 0) * 1000);
  }
  if (watch !== watched) return;
  clearTimeout(timer);
  timer = setTimeout(round, wait);
}

// Watches this organisation from now on; null watches none. Called for each page that is shown: those before it are gone.
export function watch(id) {
  for (const listener of listeners) if (!listener.node.isConnected) listeners.delete(listener);
  if ((watched?.id ?? null) === id) return;
  const wait = watched || !id ? 0 : first;
  watched = id ? { id, began: Date.now(), since: null, etag: null, seen: new Map(), count: 0 } : null;
  clearTimeout(timer);
  timer = setTimeout(round, wait);
}

// Asks at once: something was done that changes the count.
export const lookNow = () => round();

for (const event of ["pointerdown", "keydown"]) {
  addEventListener(event, () => {
    touched = Date.now();
    if (asleep) round();
  });
}
document.addEventListener("visibilitychange", round);
addEventListener("online", round);
