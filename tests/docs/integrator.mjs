// A dealer's software as somebody writes it who has read the reference under /docs/ and nothing else: BASE, EMAIL and PASSWORD are what
// the dealer gave them. Prints what it did, a line each; ends with an error at the first answer that the reference does not promise.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";

const { BASE, EMAIL, PASSWORD } = process.env;
const told = (what) => console.log(what);

// A request of JSON, or of a text with its type. 429 and 503 are waited for, as long as Retry-After says.
async function ask(token, method, path, body, { type = "application/json", headers = {}, expected = [200, 201] } = {}) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(path.startsWith("http") ? path : BASE + path, {
      method,
      headers: { ...(token && { Authorization: `Bearer ${token}` }), ...(body !== undefined && { "Content-Type": type }), ...headers },
      body: body === undefined || type !== "application/json" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if ([429, 503].includes(response.status) && attempt < 5 && !expected.includes(response.status)) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After"))));
      continue;
    }
    assert.ok(expected.includes(response.status), `${method} ${path}: ${response.status} ${text}`);
    const answer = /json/.test(response.headers.get("Content-Type")) && text ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, ...(typeof answer === "object" ? answer : { text: answer }) };
  }
}

// All rows of a list, by the addresses in Link; and where the next poll begins.
async function follow(token, path, name) {
  const rows = [];
  let since, next = path;
  while (next) {
    const { data, headers } = await ask(token, "GET", next);
    rows.push(...data[name]);
    since ??= headers.get("X-Next-Updated-Since");
    next = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  }
  return { rows, since };
}

// The password is used once; then an integration has a token of its own that can do no more than it has to.
const { data: { token: own } } = await ask(null, "POST", "/api/v1/auth", { email: EMAIL, password: PASSWORD });
const { data: { organisations: [organisation] } } = await ask(own, "GET", "/api/v1/me");
const { data: integration } = await ask(own, "POST", "/api/v1/accounts/integrations", { name: "Dealer software" });
const { data: { token } } = await ask(own, "POST", `/api/v1/accounts/integrations/${integration.id}/tokens`,
  { name: "First", scopes: ["stock:write", "jobs:write", "enquiries:write", "uploads:write"] });
const beyond = await ask(token, "PATCH", "/api/v1/accounts", { website: "https://a.example" }, { expected: [403] });
assert.match(beyond.headers.get("WWW-Authenticate"), /error="insufficient_scope"/);
await ask("0".repeat(64), "GET", "/api/v1/stock", undefined, { expected: [401] });
told("has a token with scopes");

// Stock: all of it in one request, dry at first, and again without what was sold.
const line = (n) => ({ reference: `VAN-${n}`, title: `Ford Transit ${n}`, make: "Ford", model: "Transit", year: 2022, price: 1450000 + n, currency: "GBP", status: "PUBLISHED" });
const feed = (count) => Array.from({ length: count }, (_, n) => `${JSON.stringify(line(n))}\n`).join("");
const send = async (text, query = "") => (await ask(token, "PUT", `/api/v1/stock/feed${query}`, text, { type: "application/x-ndjson" })).data;
const start = (await follow(token, "/api/v1/stock?sort=updated", "stock")).since;
assert.equal((await send(feed(200), "?dryRun=true")).created, 200);
assert.equal((await send(feed(200))).created, 200);
assert.equal((await send(feed(200))).unchanged, 200);
const complete = await send(feed(199), "?mode=complete");
assert.deepEqual([complete.unchanged, complete.archived], [199, 1]);
const skipped = await send(`${feed(1)}{"reference": "VAN-X", "title": "", "price": -1}\n`, "?onError=skip");
assert.deepEqual([skipped.failed, skipped.failures.length, skipped.failures[0].line], [1, 1, 2]);
told("has sent its stock");

// A picture and a brochure: in JSON, and announced and then sent to its ticket; one more picture by its address.
const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const brochure = Buffer.from("JVBERi0xLjQKMSAwIG9iaiA8PC9QYWdlcyAyIDAgUj4+IGVuZG9iagoyIDAgb2JqIDw8L0tpZHMgWzMgMCBSXS9Db3VudCAxPj4gZW5kb2JqCjMgMCBvYmogPDwvVHlwZS9QYWdlPj4gZW5kb2JqCnRyYWlsZXIgPDwvUm9vdCAxIDAgUj4+CiUlRU9GCg==", "base64");
const { data: image } = await ask(token, "POST", "/api/v1/uploads", { filename: "van.png", contentType: "image/png", data: picture.toString("base64") });
const announced = { filename: "brochure.pdf", contentType: "application/pdf", size: brochure.length, sha256: createHash("sha256").update(brochure).digest("hex") };
const { data: pending } = await ask(token, "POST", "/api/v1/uploads", announced);
assert.equal(pending.status, "PENDING");
const { data: document } = await ask(null, "PUT", pending.uploadUrl, brochure, { type: "application/pdf" });
assert.equal(document.status, "READY");
const byReference = "/api/v1/stock/by-reference/VAN-0";
const { data: item } = await ask(token, "PUT", byReference, { ...line(0), reference: undefined, documents: [{ uploadId: document.id, title: "Brochure" }],
  images: [{ uploadId: image.id }, { sourceUrl: "https://pictures.invalid/van.jpg" }] });
assert.deepEqual(item.images.map((each) => [each.uploadId === image.id, each.status]), [[true, "READY"], [false, "FETCHING"]]);
assert.equal((await ask(null, "GET", item.images[0].url)).status, 200);
// The feed says nothing of them, and they stay.
assert.equal((await send(feed(1))).unchanged, 1);
await ask(token, "DELETE", `/api/v1/uploads/${image.id}`, undefined, { expected: [409] });
told("has attached pictures and a brochure");

// What changed since: all that was sent, and nothing the next time.
const changes = await follow(token, `/api/v1/stock?updatedSince=${encodeURIComponent(start)}`, "stock");
assert.deepEqual(new Set(changes.rows.map((each) => each.reference)), new Set(Array.from({ length: 200 }, (_, n) => `VAN-${n}`)));
await ask(own, "DELETE", "/api/v1/stock/by-reference/VAN-199");
const deletions = await follow(token, `/api/v1/stock/deletions?since=${encodeURIComponent(start)}`, "deletions");
assert.deepEqual(deletions.rows.map((each) => each.reference), ["VAN-199"]);
told("follows changes and deletions");

// Conditional requests.
const read = await ask(token, "GET", byReference);
await ask(token, "GET", byReference, undefined, { headers: { "If-None-Match": read.headers.get("ETag") }, expected: [304] });
await ask(token, "PATCH", `/api/v1/stock/${item.id}`, { availability: "RESERVED" }, { headers: { "If-Match": read.headers.get("ETag") } });
await ask(token, "PATCH", `/api/v1/stock/${item.id}`, { availability: "SOLD" }, { headers: { "If-Match": read.headers.get("ETag") }, expected: [412] });
await ask(token, "POST", "/api/v1/stock", line(0), { expected: [409] });
await ask(token, "POST", "/api/v1/stock", { title: "x".repeat(2 << 20) }, { expected: [413] });
told("does not overwrite what others changed");

// A job of its own name; a POST whose answer was lost is sent once more.
await ask(token, "PUT", "/api/v1/jobs/by-reference/JOB-1", { title: "Parts advisor", description: "Advise.", category: "Parts", contractType: "PERMANENT", city: "Leeds", status: "PUBLISHED" });
const enquiry = { stockId: item.id, name: "Sam Buyer", email: "sam@buyer.example", message: "Still there?" };
const key = { headers: { "Idempotency-Key": createHash("sha256").update(BASE + item.id).digest("hex") } };
const first = await ask(own, "POST", "/api/v1/enquiries", enquiry, key);
const second = await ask(own, "POST", "/api/v1/enquiries", enquiry, key);
assert.equal(second.data.id, first.data.id);
const { rows: enquiries } = await follow(token, "/api/v1/enquiries?status=NEW", "enquiries");
assert.deepEqual(enquiries.map((each) => [each.id, each.stock.reference]), [[first.data.id, "VAN-0"]]);
const { data: answered } = await ask(token, "PATCH", `/api/v1/enquiries/${first.data.id}`, { status: "REPLIED" });
assert.equal(answered.status, "REPLIED");
told("works enquiries");

// A webhook, and how its messages are checked.
const { data: webhook } = await ask(own, "POST", "/api/v1/webhooks", { url: "https://receiver.example/hook", events: ["enquiry.created"] });
assert.equal(Buffer.from(webhook.secret.replace("whsec_", ""), "base64").length, 32);
const sign = (secret, id, at, body) => `v1,${createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64")).update(`${id}.${at}.${body}`).digest("base64")}`;
assert.equal(sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
await ask(own, "DELETE", `/api/v1/webhooks/${webhook.id}`);
told("is told by webhooks");

await ask(own, "DELETE", `/api/v1/accounts/integrations/${integration.id}`);
await ask(token, "GET", "/api/v1/stock", undefined, { expected: [401] });
assert.equal(organisation.role, "ADMIN");
told("leaves nothing behind");
