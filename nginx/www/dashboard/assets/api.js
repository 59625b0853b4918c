// Requests to the service. Every answer is {"data"} or {"error"}; what fails throws a Failure.
import { noteDate } from "./clock.js";
import { forgetAnswers, noteEarly, takeEarly } from "./early_requests.js";
import { forPeople } from "./sentences.js";

// status 0: no answer came. `field` and `why` are those of `Invalid field: <name>: <why>`; `wait` the seconds of Retry-After.
export class Failure extends Error {
  constructor(status, message, { field = null, why = null, wait = null } = {}) {
    super(message);
    Object.assign(this, { status, field, why, wait });
  }
}

const patience = 45_000;
const ndjson = "application/x-ndjson";
let token = null;
const hooks = { signIn: null, renewToken: null, confirmPassword: null, signedIn: null };

export const csrfToken = () => token;
export const setCsrfToken = (given) => (token = given);

// signIn(): lets the user sign in over the page that is shown; true when that worked. renewToken(): asks for the session's token, true
// when it is another. confirmPassword(): lets the user type the password over the page; true when it was right. signedIn(): whether there is a session.
export const setHooks = (given) => Object.assign(hooks, given);

export function failureOf(status, text, headers) {
  let message = "";
  try {
    message = JSON.parse(text).error ?? "";
  } catch {
    // not from the service: a proxy on the way
  }
  const invalid = /^Invalid field: (.+?): (.*)$/s.exec(message);
  const unknown = /^Unknown field: (.*)$/s.exec(message);
  const wait = Number.parseInt(headers("Retry-After") ?? "", 10);
  return new Failure(status, message || `The server answered ${status}`, {
    field: invalid?.[1] ?? unknown?.[1] ?? null,
    why: invalid?.[2] ?? (unknown && "is not known to the server"),
    wait: Number.isFinite(wait) ? wait : null,
  });
}

const confirmationRequired = "Password confirmation required";
const changes = (method) => method !== "GET" && method !== "HEAD";

export function requestHeaders(method, { body, lines, ifMatch, ifNoneMatch, key } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (lines !== undefined) headers["Content-Type"] = ndjson;
  if (ifMatch) headers["If-Match"] = ifMatch;
  if (ifNoneMatch) headers["If-None-Match"] = ifNoneMatch;
  if (key) headers["Idempotency-Key"] = key;
  if (changes(method) && token) headers["X-CSRF-Token"] = token;
  return headers;
}

async function once(method, path, options) {
  const gaveUp = new AbortController();
  const timer = setTimeout(() => gaveUp.abort(), options.patience ?? patience);
  options.signal?.addEventListener("abort", () => gaveUp.abort());
  try {
    const response = await ((method === "GET" && takeEarly(path)) || fetch(path, {
      method,
      headers: requestHeaders(method, options),
      body: options.lines?.map((line) => `${JSON.stringify(line)}\n`).join("") ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
      signal: gaveUp.signal,
      redirect: "error",
    }));
    return { response, text: response.status === 304 ? "" : await response.text() };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Failure(0, "No connection to the server.");
  } finally {
    clearTimeout(timer);
  }
}

// Sends it and returns {data, etag, headers, unchanged}. A session that has ended: a read throws a Failure 401, a change lets the
// user sign in over the page and goes on. Options: body, or lines (a list of objects, sent one a line); ifMatch, ifNoneMatch, key
// (Idempotency-Key), signal, patience (milliseconds), plain (no second try).
async function request(method, path, options = {}) {
  if (changes(method)) forgetAnswers();
  const first = once(method, path, options);
  if (!changes(method)) noteEarly(path, first);
  let { response, text } = await first;
  let refused = false;  // the user did not want to sign in again
  if (changes(method) && !options.plain) {
    // Another tab has signed in since: this session has another token now.
    const unconfirmed = response.status === 403 && failureOf(403, text, () => null).message === confirmationRequired;
    if (unconfirmed && (await hooks.confirmPassword?.())) ({ response, text } = await once(method, path, options));
    if (response.status === 403 && !unconfirmed && (await hooks.renewToken?.())) ({ response, text } = await once(method, path, options));
    if (response.status === 401 && !(refused = !(await hooks.signIn?.()))) ({ response, text } = await once(method, path, options));
  }
  const header = (name) => response.headers.get(name);
  noteDate(header("Date"));
  if (response.status === 304) return { data: null, etag: header("ETag"), header, unchanged: true };
  if (!response.ok) throw Object.assign(failureOf(response.status, text, header), { refused });
  try {
    const inLines = header("Content-Type")?.startsWith(ndjson);
    const data = inLines ? text.split("\n").filter(Boolean).map((line) => JSON.parse(line)) : JSON.parse(text).data;
    return { data, etag: header("ETag"), header, unchanged: false };
  } catch {
    throw new Failure(response.status, "The answer of the server cannot be read.");
  }
}

// Runs a task that begins with reads; when the session has ended, lets the user sign in over the page and runs it again. A Failure is `refused`
// when they did not want to.
export async function signedIn(task) {
  try {
    return await task();
  } catch (failure) {
    if (failure.status !== 401 || failure.refused) throw failure;
    if (!(await hooks.signIn?.())) throw Object.assign(failure, { refused: true });
    return task();
  }
}

export const get = (path, options) => request("GET", path, options);

// A read of what the public may see too, less of it: an answer for everybody, or none, can mean that the session has ended. That is a
// Failure 401 here as it is elsewhere.
export async function getOwn(path, options) {
  const ended = new Failure(401, "Unauthorized");
  try {
    const answer = await get(path, options);
    if (!answer.header("Cache-Control")?.includes("private") && !(await hooks.signedIn())) throw ended;
    return answer;
  } catch (failure) {
    if (failure.status === 404 && !(await hooks.signedIn())) throw ended;
    throw failure;
  }
}

export const post = (path, body, options) => request("POST", path, { ...options, body });
// A function (path, body) for a POST that creates. The same body again, as after an answer that got lost, has the same Idempotency-Key.
export function creating() {
  let last = null, key = null;
  return (path, body) => {
    const text = JSON.stringify(body);
    if (text !== last) [last, key] = [text, crypto.randomUUID()];
    return post(path, body, { key });
  };
}

export const patch = (path, body, options) => request("PATCH", path, { ...options, body });
export const put = (path, body, options) => request("PUT", path, { ...options, body });
export const remove = (path, options) => request("DELETE", path, options);

// "path?name=value" of what has a value; a list is repeated.
export function withQuery(path, query) {
  const given = Object.entries(query).flatMap(([name, value]) => (Array.isArray(value) ? value.map((each) => [name, each]) : [[name, value]])).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

// A text of the service, or of this page, as a person reads it.
export const sentence = (text) => forPeople(text) ?? text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

// What a person is told of a failure that has no place of its own.
export function told(failure) {
  if (!(failure instanceof Failure)) return "Something went wrong in this page. Load it again.";
  if (failure.status === 0) return "There is no connection to the server. Check yours, then try again.";
  if (failure.status === 401) return "You are no longer signed in.";
  if (failure.message === confirmationRequired) return "This needs your password once more.";
  if (failure.status === 403) return "Your role does not allow this.";
  if (failure.status === 404) return "This does not exist (any more).";
  if (failure.status === 413) return "This is larger than the server takes.";
  if (failure.status === 429) return `Too many requests. Try again in ${failure.wait ?? 60} seconds.`;
  if (failure.status >= 500) return "The server cannot do this at the moment. Try again in a while.";
  const why = failure.why ?? failure.message.replace(/^Conflict: /, "");
  return failure.field && !forPeople(why) ? sentence(`${failure.field} ${why}`) : sentence(why);
}
