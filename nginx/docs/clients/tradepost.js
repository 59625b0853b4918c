/**
 * A client of the Tradepost API in one file, for Node.js 18 and later, Deno, Bun and browsers, without dependencies. Its types are in
 * tradepost.d.ts; keep both in one folder. It is a module: in Node.js your package.json has "type": "module".
 *
 *     import { Tradepost } from "./tradepost.js";
 *     const api = new Tradepost("https://marketplace.example", process.env.TOKEN);
 *     const item = await api.stock.create({ reference: "VAN-1", title: "Ford Transit" });
 *     const file = await api.upload(await readFile("van.jpg"), "van.jpg", "image/jpeg");
 *     await api.stock.change(item.id, { images: [{ uploadId: file.id }] });
 *     for await (const item of api.stock.each({ status: "PUBLISHED" })) console.log(item.title);
 *
 * A refused request is a TradepostError, and so is an answer that shows what the public sees because the token cannot be used. 429 waits for Retry-After; 500, 502, 503, 504 and broken connections are tried again with a growing
 * pause, where that cannot do anything twice. Methods return `data` of the answer.
 */
const transient = [0, 500, 502, 503, 504];
const webCrypto = globalThis.crypto ?? (await import("node:crypto")).webcrypto;
const path = (...parts) => ["/api/v1", ...parts.map(encodeURIComponent)].join("/");
const ifMatch = (etag) => (etag ? { "If-Match": etag } : {});
const hex = (bytes) => [...new Uint8Array(bytes)].map((each) => each.toString(16).padStart(2, "0")).join("");
const newKey = () => hex(webCrypto.getRandomValues(new Uint8Array(16)));
const fromBase64 = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));

/** A refused request. The message is that of the API, such as "Invalid field: title: is required"; `errors` has all that is wrong. */
export class TradepostError extends Error {
  constructor(method, address, answer) {
    // The public's answer, because the token cannot be used.
    const ignored = answer.header("x-token-ignored");
    super(ignored ? `Token ignored: ${ignored}` : answer.json?.detail ?? answer.json?.error ?? `HTTP ${answer.status}`);
    this.name = "TradepostError";
    const status = ignored === "scope" ? 403 : ignored ? 401 : answer.status;
    Object.assign(this, { method, path: address, answer, status, errors: answer.json?.errors ?? [] });
    this.requestId = answer.header("x-request-id");
    this.retryAfter = answer.header("retry-after") === null ? null : Number(answer.header("retry-after"));
  }
}

/** An answer: its `data`, its headers, and its text where that is no JSON. */
class Answer {
  constructor(status, headers, text, error) {
    this.status = status;
    this.text = text;
    this.header = (name) => headers?.get(name) ?? null;
    try {
      this.json = error ? { error } : JSON.parse(text);
    } catch {
      this.json = null;
    }
    this.data = this.json?.data ?? null;
  }
}

export class Tradepost {
  #options;
  #expiresAt = null;

  constructor(base, token = null, options = {}) {
    this.base = base.replace(/\/+$/, "");
    this.token = token;
    this.#options = { retries: 4, longestWait: 120, timeout: 60, fetch: (...given) => fetch(...given),
      sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)), ...options };
    for (const name of ["jobs", "stock", "enquiries", "events", "posts", "uploads", "webhooks"]) this[name] = new Resource(this, name);
  }

  static async signIn(base, email, password, { code, scopes, ...options } = {}) {
    const { data } = await new Tradepost(base, null, options).request("POST", "/api/v1/auth", { body: { email, password, code, scopes } });
    return new Tradepost(base, data.token, options);
  }

  async signOut() {
    await this.request("DELETE", "/api/v1/auth");
    this.token = null;
  }

  me = async () => (await this.request("GET", "/api/v1/me")).data;

  tokens = async () => (await this.request("GET", "/api/v1/me/tokens")).data;

  tokenExpiresAt = () => this.#expiresAt;

  async rotateToken(overlapHours) {
    // The key says that it may be sent again: what nobody has used ends then.
    const { data } = await this.request("POST", path("me", "tokens", "rotate"), { body: { overlapHours }, headers: { "Idempotency-Key": newKey() } });
    this.#expiresAt = null;
    return (this.token = data.token);
  }

  revokeToken = async (id) => void (await this.request("DELETE", path("me", "tokens", id)));

  organisation = (organisationId) => new Organisation(this, organisationId);

  account = async (organisationId) => (await this.request("GET", "/api/v1/accounts", { query: { organisationId } })).data;

  changeAccount = async (changes, organisationId) => (await this.request("PATCH", "/api/v1/accounts", { query: { organisationId }, body: changes })).data;

  registerDevice = async (token, platform, deviceName = null) =>
    void (await this.request("POST", "/api/v1/notification_tokens", { body: { token, platform, deviceName } }));

  devices = async () => (await this.request("GET", "/api/v1/notification_tokens")).data.notificationTokens;

  removeDevice = async (id) => void (await this.request("DELETE", path("notification_tokens", id)));

  notificationKey = async () => (await this.request("GET", "/api/v1/notification_tokens/key")).data.publicKey;

  async upload(content, filename, contentType = content.type, organisationId) {
    const bytes = content.arrayBuffer ? new Uint8Array(await content.arrayBuffer()) : content;
    const sha256 = hex(await webCrypto.subtle.digest("SHA-256", bytes));
    const { uploadUrl } = await this.uploads.create({ filename, contentType, size: bytes.length, sha256, organisationId });
    return (await this.request("PUT", uploadUrl, { content: bytes, headers: { "Content-Type": contentType } })).data;
  }

  static async isGenuine(id, timestamp, signatures, body, secret) {
    if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
    const key = await webCrypto.subtle.importKey("raw", fromBase64(secret.slice("whsec_".length)), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
    for (const each of (signatures ?? "").split(" ")) {
      const given = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(each);
      if (given && (await webCrypto.subtle.verify("HMAC", key, fromBase64(given[1]), signed))) return true;
    }
    return false;
  }

  async request(method, address, { query = {}, body, content, headers: more = {} } = {}) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      for (const each of [value].flat()) if (each !== null && each !== undefined) parameters.append(name, each);
    const target = address + (parameters.size === 0 || `${parameters}` === "" ? "" : `${address.includes("?") ? "&" : "?"}${parameters}`);
    const headers = { Accept: "application/json, application/problem+json", ...(this.token && { Authorization: `Bearer ${this.token}` }), ...(body !== undefined && { "Content-Type": "application/json" }), ...more };
    const repeatable = method !== "POST" || "Idempotency-Key" in headers;
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#send(target, { method, headers, body: body === undefined ? content : JSON.stringify(body) });
      if (answer.status) this.#expiresAt = answer.header("x-token-expires-at");
      if (answer.header("x-token-ignored")) throw new TradepostError(method, target, answer);
      if (answer.status >= 200 && answer.status < 400) return answer;
      const again = answer.status === 429 || (repeatable && transient.includes(answer.status));
      // Half of the pause is chance, so that many clients do not come back at once.
      const wait = Math.max(Number(answer.header("retry-after") ?? 0), answer.status === 429 ? 1 : 2 ** attempt * (0.5 + Math.random() / 2));
      if (!again || attempt >= this.#options.retries || wait > this.#options.longestWait) throw new TradepostError(method, target, answer);
      await this.#options.sleep(wait);
    }
  }

  async #send(target, init) {
    try {
      const response = await this.#options.fetch(this.base + target, { ...init, redirect: "manual", cache: "no-store", signal: AbortSignal.timeout(this.#options.timeout * 1000) });
      return new Answer(response.status, response.headers, await response.text());
    } catch (error) {
      return new Answer(0, null, "", error.cause?.message || error.message || String(error));
    }
  }
}

/** Jobs, stock, enquiries, events, posts, uploads or webhooks. */
class Resource {
  #api;
  #name;

  constructor(api, name) {
    this.#api = api;
    this.#name = name;
  }

  #ask = async (method, parts, options) => (await this.#api.request(method, path(this.#name, ...parts), options)).data;

  list = (filters) => this.#ask("GET", [], { query: filters });

  each = (filters) => this.#rows({ limit: 100, ...filters })[Symbol.asyncIterator]();

  // In this order a row that changes meanwhile hides no other. Public lists do not have it.
  poll = (since = null, filters = {}) => this.#rows({ limit: 100, ...(since === null && this.#isOwn(filters) && { sort: "updated" }), ...filters, updatedSince: since });

  #rows = (query) => new Poll(this.#api, path(this.#name), this.#name, query);

  #isOwn = (filters) => ["stock", "enquiries"].includes(this.#name) || Boolean(this.#api.token && filters.organisationId);

  deletions = (since, filters = {}) => new Poll(this.#api, path(this.#name, "deletions"), "deletions", { limit: 100, ...filters, since });

  get = (id) => this.#ask("GET", [id]);

  read = (id, etag = null) => this.#api.request("GET", path(this.#name, id), { headers: etag ? { "If-None-Match": etag } : {} });

  create = (row, key = newKey()) => this.#ask("POST", [], { body: row, headers: { "Idempotency-Key": key } });

  change = (id, changes, etag = null) => this.#ask("PATCH", [id], { body: changes, headers: ifMatch(etag) });

  delete = async (id, etag = null) => void (await this.#ask("DELETE", [id], { headers: ifMatch(etag) }));

  put = (reference, row, etag = null) => this.#ask("PUT", ["by-reference", reference], { body: row, headers: ifMatch(etag) });

  getByReference = (reference, organisationId) => this.#ask("GET", ["by-reference", reference], { query: { organisationId } });

  changeByReference = (reference, changes, etag = null) => this.#ask("PATCH", ["by-reference", reference], { body: changes, headers: ifMatch(etag) });

  deleteByReference = async (reference, organisationId) => void (await this.#ask("DELETE", ["by-reference", reference], { query: { organisationId } }));

  async feed(rows, options = {}) {
    const lines = [];
    for await (const row of rows) lines.push(`${JSON.stringify(row)}\n`);
    return this.#ask("PUT", ["feed"], { query: options, content: lines.join(""), headers: { "Content-Type": "application/x-ndjson" } });
  }

  async readFeed(organisationId) {
    const { text } = await this.#api.request("GET", path(this.#name, "feed"), { query: { organisationId } });
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }

  facets = async (fields, filters = {}) => (await this.#ask("GET", ["facets"], { query: { fields: fields.join(), ...filters } })).facets;

  async verify(copy, filters = {}) {
    const parts = new Map();
    for (const [id, updatedAt] of Object.entries(copy)) parts.set(id.slice(-2), (parts.get(id.slice(-2)) ?? new Map()).set(id, updatedAt));
    const listed = new Map((await this.#ask("GET", ["digest"], { query: filters })).parts.map(({ part, digest }) => [part, digest]));
    const missing = [], changed = [], gone = [];
    for (const part of [...new Set([...parts.keys(), ...listed.keys()])].sort()) {
      const lines = parts.get(part) ?? new Map();
      const text = [...lines.keys()].sort().map((id) => `${id} ${lines.get(id)}\n`).join("");
      if (listed.get(part) === hex(await webCrypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))) continue;
      // The list has no items in a part without a digest.
      const entries = listed.has(part) ? (await this.#ask("GET", ["digest"], { query: { ...filters, part } })).entries : [];
      missing.push(...entries.filter(({ id }) => !lines.has(id)));
      changed.push(...entries.filter(({ id, updatedAt }) => lines.has(id) && lines.get(id) !== updatedAt));
      const ids = new Set(entries.map(({ id }) => id));
      gone.push(...[...lines.keys()].filter((id) => !ids.has(id)).sort());
    }
    return { equal: missing.length + changed.length + gone.length === 0, missing, changed, gone };
  }
}

/** The rows of a list, read page by page as they are asked for. `since` is for the next poll, once all rows were read. */
class Poll {
  #api;
  #first;
  #name;
  since = null;

  constructor(api, address, name, filters) {
    this.#api = api;
    this.#first = [address, filters];
    this.#name = name;
  }

  async *[Symbol.asyncIterator]() {
    let [address, query] = this.#first, total = null, restarts = 0;
    const byPosition = Boolean(query.updatedSince || query.since);
    while (address) {
      const answer = await this.#api.request("GET", address, { query });
      this.since ??= answer.header("x-next-updated-since");
      // Without a position, rows that came or went have moved the pages.
      if (total !== null && answer.data.total !== total && !byPosition && restarts < 5) {
        [[address, query], total, restarts] = [this.#first, null, restarts + 1];
        continue;
      }
      total = answer.data.total;
      yield* answer.data[this.#name];
      // The link is an address of this service; its path goes to the address that this client was given.
      address = /<([^>]+)>; rel="next"/.exec(answer.header("link") ?? "")?.[1].replace(/^https?:\/\/[^/]+/, "");
      query = {};
    }
  }
}

/** The people, programs and webhooks of an organisation. Most of this is for ADMINs, with a token that has no list of scopes. */
class Organisation {
  #api;
  #query;

  constructor(api, organisationId) {
    this.#api = api;
    this.#query = { organisationId };
  }

  #ask = async (method, parts, body) => (await this.#api.request(method, path(...parts), { query: this.#query, body })).data;

  #create = async (parts, body) => (await this.#api.request("POST", path(...parts), { query: this.#query, body, headers: { "Idempotency-Key": newKey() } })).data;

  members = async () => (await this.#ask("GET", ["accounts", "members"])).members;

  changeMember = (userId, role) => this.#ask("PATCH", ["accounts", "members", userId], { role });

  removeMember = async (userId) => void (await this.#ask("DELETE", ["accounts", "members", userId]));

  invitations = async () => (await this.#ask("GET", ["accounts", "invitations"])).invitations;

  invite = (email, role) => this.#create(["accounts", "invitations"], { email, role });

  withdrawInvitation = async (id) => void (await this.#ask("DELETE", ["accounts", "invitations", id]));

  integrations = async () => (await this.#ask("GET", ["accounts", "integrations"])).integrations;

  addIntegration = (name) => this.#create(["accounts", "integrations"], { name });

  deleteIntegration = async (id) => void (await this.#ask("DELETE", ["accounts", "integrations", id]));

  makeToken = (integrationId, name, scopes) => this.#ask("POST", ["accounts", "integrations", integrationId, "tokens"], { name, scopes });

  revokeToken = async (integrationId, tokenId) => void (await this.#ask("DELETE", ["accounts", "integrations", integrationId, "tokens", tokenId]));

  failures = () => this.#ask("GET", ["accounts", "failures"]);

  letters = () => this.#ask("GET", ["accounts", "letters"]);

  chooseLetters = (enquiryMail) => this.#ask("PATCH", ["accounts", "letters"], { enquiryMail });

  webhooks = async () => (await this.#ask("GET", ["webhooks"])).webhooks;

  createWebhook = (url, events) => this.#create(["webhooks"], { url, events });

  changeWebhook = (id, changes) => this.#ask("PATCH", ["webhooks", id], changes);

  deleteWebhook = async (id) => void (await this.#ask("DELETE", ["webhooks", id]));

  renewSecret = (id) => this.#ask("POST", ["webhooks", id, "secret"]);

  testWebhook = (id) => this.#ask("POST", ["webhooks", id, "test"]);

  deliveries = (id) => this.#ask("GET", ["webhooks", id, "deliveries"]);

  retryDelivery = (id, deliveryId) => this.#ask("POST", ["webhooks", id, "deliveries", deliveryId, "retry"]);
}
