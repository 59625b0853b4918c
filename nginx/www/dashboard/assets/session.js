// Who is signed in. The session itself is a cookie that scripts cannot read.
import { forgetEarly } from "./early_requests.js";
import { csrfToken, get, patch, post, put, remove, Failure, setCsrfToken } from "./api.js";

const address = "/dashboard/api/session";
// `owner` is whose document this is, also after the session has ended: nothing of it is sent in another's name. `since`
// is when they signed in here, or when the document began. `copy` is what the service says of itself when it is a copy for tests.
export const session = { user: null, owner: null, copy: null, since: Date.now() };

function take({ data }) {
  session.user = session.owner = data.user;
  session.copy = data.copy;
  setCsrfToken(data.csrfToken);
  return data;
}

function forget() {
  forgetEarly();
  session.user = null;
  setCsrfToken(null);
}

// The session of another user, who has signed in here or in another tab: they get a document of their own.
function isOfAnother({ data }) {
  if (!session.owner || session.owner.id === data.user.id) return false;
  location.reload();
  return true;
}

// The signed-in user, or null. Throws a Failure when the server cannot tell.
export async function loadSession() {
  const before = csrfToken();
  try {
    const answer = await get(address);
    if (isOfAnother(answer)) return null;
    take(answer);
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.status !== 401) throw failure;
    if (csrfToken() === before) forget();  // else somebody signed in while it was asked
  }
  return session.user;
}

// True, or false when the document is another user's. Throws a Failure: 401 wrong email or password, or a code of the second step is needed
// or wrong; 429 too many attempts.
export async function signIn(email, password, code) {
  const answer = await post(address, { email, password, ...(code && { code }) }, { plain: true });
  if (isOfAnother(answer)) return false;
  take(answer);
  session.since = Date.now();
  return true;
}

// Throws a Failure that names the field, or 429. The session goes on under another id; all others end.
export async function changePassword(currentPassword, newPassword, revokeTokens) {
  take(await put("/dashboard/api/password", { currentPassword, newPassword, revokeTokens }));
}

// Throws a Failure.
export async function changeName(name) {
  session.user = (await patch("/dashboard/api/profile", { name })).data;
}

// With the token of a letter. Throws a Failure: 404 when it is no link of this user's; 409. Other sessions of the user end.
export async function changeEmail(token) {
  session.user = (await post(`/dashboard/api/email/${token}`)).data;
}

// Ends the session of this browser, whoever signed in last. Throws a Failure when it may go on.
export async function signOut() {
  try {
    await remove(address, { plain: true });
  } catch (failure) {
    if (!(failure instanceof Failure) || ![401, 403].includes(failure.status)) throw failure;
    // 401: it has ended already. 403: somebody signed in in another tab, so that it has another token.
    if (failure.status === 403) {
      setCsrfToken((await get(address)).data.csrfToken);
      await remove(address, { plain: true });
    }
  }
  forget();
}

// Asks for the session's token again: true when it is another than the one that was sent, and the user the same.
export async function renewToken() {
  const before = csrfToken();
  try {
    const answer = await get(address);
    if (isOfAnother(answer)) return false;
    take(answer);
  } catch {
    return false;
  }
  return before !== csrfToken();
}

export const organisationBySlug = (slug) => session.user?.organisations.find((each) => each.slug === slug) ?? null;
