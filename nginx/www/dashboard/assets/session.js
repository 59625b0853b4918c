// Who is signed in. The session itself is a cookie that scripts cannot read.
import { forgetEarly } from "./early_requests.js";
import { csrfToken, get, patch, post, put, remove, Failure, setCsrfToken } from "./api.js";

const address = "/dashboard/api/session";
export const session = { user: null };

function take({ data }) {
  session.user = data.user;
  setCsrfToken(data.csrfToken);
  return data;
}

function forget() {
  forgetEarly();
  session.user = null;
  setCsrfToken(null);
}

// The signed-in user, or null. Throws a Failure when the server cannot tell.
export async function loadSession() {
  const before = csrfToken();
  try {
    take(await get(address));
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.status !== 401) throw failure;
    if (csrfToken() === before) forget();  // else somebody signed in while it was asked
  }
  return session.user;
}

// Throws a Failure: 401 wrong email or password, or a code of the second step is needed or wrong; 429 too many attempts.
export async function signIn(email, password, code) {
  take(await post(address, { email, password, ...(code && { code }) }, { plain: true }));
  return session.user;
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

// The cookie may be gone already; then there is nothing left to end.
export async function signOut() {
  try {
    await remove(address, { plain: true });
  } catch (failure) {
    if (!(failure instanceof Failure) || ![401, 403].includes(failure.status)) throw failure;
  }
  forget();
}

// Asks for the session's token again: true when it is another than the one that was sent. What another user has signed in to since
// is not this page's: it is loaded anew.
export async function renewToken() {
  const before = { token: csrfToken(), user: session.user?.id };
  try {
    take(await get(address));
  } catch {
    return false;
  }
  if (before.user && before.user !== session.user.id) location.reload();
  return before.token !== csrfToken();
}

export const organisationBySlug = (slug) => session.user?.organisations.find((each) => each.slug === slug) ?? null;
