// What the first page of a document asks the service for. On a slow network a page that waits for its modules, then for the session, then
// for its list waits three times. So the next document of the same address asks at once for all that this one asked for.
const stored = "tradepost.early";
const most = 10;
const session = "/dashboard/api/session";

function known() {
  try {
    return JSON.parse(localStorage.getItem(stored)) ?? {};
  } catch {
    return {};  // storage is switched off, or holds something else
  }
}

const here = () => location.pathname + location.search;

export const overviewPath = (organisationId) => `/dashboard/api/overview?organisationId=${organisationId}`;

function ask(path) {
  const answer = fetch(path, { headers: { Accept: "application/json" }, redirect: "error", signal: AbortSignal.timeout(45_000) });
  answer.catch(() => {});  // whoever takes it sees the failure
  window.early.set(path, answer);
}

// Who is signed in decides what the overview asks for, and the modules may take longer than that answer.
async function askOverview() {
  const place = /^\/dashboard\/(?:o\/([^/]+)\/overview)?$/.exec(location.pathname);
  if (!place) return;
  const { data } = await (await window.early.get(session)).clone().json();
  const organisation = data.user.organisations.find((each) => !place[1] || each.slug === place[1]);
  // When the modules have taken the session they ask themselves.
  if (organisation && window.early.has(session)) ask(overviewPath(organisation.id));
}

// Called in the script of the document's head. The modules are another script: what was asked is handed over in the window.
export function askEarly() {
  window.early = new Map();
  const paths = known()[here()] ?? [];
  for (const path of [session, ...paths]) ask(path);
  if (paths.length === 0) askOverview().catch(() => {});  // nobody is signed in, or the page will tell
}

const address = here();  // before the first page goes on to another
let asked = new Set();   // null: the first page is finished
let open = 0;
let finish;

// Resolves when the first page is finished.
export const firstPage = new Promise((go) => (finish = go));

// The answer to this read if it is on its way; each is used once.
export function takeEarly(path) {
  const answer = window.early?.get(path);
  window.early?.delete(path);
  return answer;
}

// The first page is unfinished while this promise is open. It is finished when no such promise has been open for a moment.
export function noteWork(promise) {
  if (!asked) return;
  open++;
  const done = () => --open === 0 && setTimeout(() => open === 0 && settle());
  promise.then(done, done);
}

// Notes a read of the first page.
export function noteEarly(path, answer) {
  if (asked && path !== session) asked.add(path);
  noteWork(answer);
}

// From now on answers have to be new ones.
function settle() {
  if (!asked) return;
  const { [address]: before, ...others } = known();
  if (asked.size > 0) store({ ...Object.fromEntries(Object.entries(others).slice(1 - most)), [address]: [...asked] });
  asked = null;
  forgetAnswers();
  finish();
}

function store(all) {
  try {
    localStorage.setItem(stored, JSON.stringify(all));
  } catch {
    // then the next document begins with the session alone
  }
}

// After a change, too.
export const forgetAnswers = () => window.early?.clear();

// After a sign-out: the addresses are those of a user.
export const forgetEarly = () => store({});
