// What an example speaks of, made for real. The reference has fixed identifiers; a run replaces them by those of its own rows.
import { createHash } from "node:crypto";
import { ask, ctl } from "../browser/testing.mjs";
import { addMember } from "./dealers.mjs";
import { unsubscribeLink } from "./letters.mjs";

const fixed = (last) => `0195f0a0-7c00-7000-8000-00000000${last}`;
export const pdf = Buffer.from("JVBERi0xLjQKMSAwIG9iaiA8PC9QYWdlcyAyIDAgUj4+IGVuZG9iagoyIDAgb2JqIDw8L0tpZHMgWzMgMCBSXS9Db3VudCAxPj4gZW5kb2JqCjMgMCBvYmogPDwvVHlwZS9QYWdlPj4gZW5kb2JqCnRyYWlsZXIgPDwvUm9vdCAxIDAgUj4+CiUlRU9GCg==", "base64");

// `world` has the dealer, a token and the description; each function returns the parameter's value.
const published = { title: "Parts advisor", description: "Advise.", category: "Parts", contractType: "PERMANENT", city: "Leeds", status: "PUBLISHED" };
const van = { title: "Ford Transit", price: 1450000, currency: "GBP", status: "PUBLISHED" };
const make = (world, path, body) => ask("POST", path, { token: world.token, body });
const past = "2026-01-01T00:00:00Z";
const makeJob = (world, more) => make(world, "/api/v1/jobs", { ...published, ...more });
const makeEvent = (world, more) =>
  make(world, "/api/v1/events", { title: "Open day", startsAt: "2036-01-01T00:00:00Z", city: "Leeds", publishedAt: past, ...more });
const makePost = (world, more) => make(world, "/api/v1/posts", { title: "News", body: "Some.", publishedAt: past, ...more });
const makeItem = (world, more) => make(world, "/api/v1/stock", { ...van, reference: "VAN-0042", ...more });
const makeIntegration = (world) => make(world, "/api/v1/accounts/integrations", { name: "Stock feed" });
const makeFile = (world) => make(world, "/api/v1/uploads", { filename: "brochure.pdf", contentType: "application/pdf", data: pdf.toString("base64") });
const announce = (world) => make(world, "/api/v1/uploads",
  { filename: "van.jpg", contentType: "application/pdf", size: pdf.length, sha256: createHash("sha256").update(pdf).digest("hex") });
// One for all examples, as there may be ten.
async function webhook(world) {
  const { webhooks } = await ask("GET", "/api/v1/webhooks", { token: world.token });
  return webhooks.find((each) => each.active) ?? make(world, "/api/v1/webhooks", { url: "https://127.0.0.1:9/", events: ["stock.changed"] });
}

const stored = async (world) => {
  const [, , folder, file] = new URL((await makeFile(world)).url, "https://x").pathname.split("/");
  return { folder, file, name: "brochure.pdf" };
};

// The id of a row where the example shows an id, else the slug: an operation may take only one of them.
const named = (row, { idOrSlug }) => ({ idOrSlug: /^[0-9a-f]{8}-/.test(idOrSlug) ? row.id : row.slug });

// By path: the values of its parameters. Without a row, a POST of the collection's own example makes what a path names.
const rows = {
  "/api/v1/jobs/{idOrSlug}": async (world, operation, values) => named(await makeJob(world), values),
  "/api/v1/jobs/by-reference/{reference}": async (world, { method }, values) => {
    if (method !== "PUT") await makeJob(world, values);
    return values;
  },
  "/api/v1/stock/{id}": async (world) => ({ id: (await makeItem(world)).id }),
  "/api/v1/stock/by-reference/{reference}": async (world, { method }, values) => {
    if (method !== "PUT") await makeItem(world, values);
    return values;
  },
  "/api/v1/notification_tokens/{id}": async (world, operation, { id }) => {
    await make(world, "/api/v1/notification_tokens", { token: "abc", platform: "IOS" });  // whose hash the reference shows
    return { id };
  },
  "/api/v1/enquiries/{id}": async (world) => ({ id: (await make(world, "/api/v1/enquiries", { stockId: (await makeItem(world)).id, name: "Sam", message: "Still there?" })).id }),
  "/api/v1/uploads/{id}": async (world) => ({ id: (await makeFile(world)).id }),
  ...Object.fromEntries(["", "/secret", "/test", "/deliveries"].map((part) =>
    [`/api/v1/webhooks/{id}${part}`, async (world) => ({ id: (await webhook(world)).id })])),
  "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": async (world) => {
    const { id } = await webhook(world);
    return { id, deliveryId: (await make(world, `/api/v1/webhooks/${id}/test`)).id };
  },
  "/upload/{ticket}": async (world) => ({ ticket: (await announce(world)).uploadUrl.split("/").pop() }),
  "/uploads/{folder}/{file}": stored,
  "/uploads/{folder}/{file}/{name}": stored,
  "/api/v1/events/{idOrSlug}": async (world, operation, values) => named(await makeEvent(world), values),
  "/api/v1/events/by-reference/{reference}": async (world, { method }, values) => {
    if (method !== "PUT") await makeEvent(world, values);
    return values;
  },
  "/api/v1/posts/{idOrSlug}": async (world, operation, values) => named(await makePost(world), values),
  "/api/v1/posts/by-reference/{reference}": async (world, { method }, values) => {
    if (method !== "PUT") await makePost(world, values);
    return values;
  },
  "/api/v1/accounts/members/{userId}": async ({ dealer }) => ({ userId: await addMember(dealer) }),
  "/api/v1/accounts/integrations/{id}/tokens/{tokenId}": async (world) => {
    const { id } = await makeIntegration(world);
    return { id, tokenId: (await make(world, `/api/v1/accounts/integrations/${id}/tokens`, { name: "November" })).id };
  },
  "/unsubscribe/{token}": ({ dealer }) => unsubscribeLink(dealer.email, dealer.organisation.id),
  "/api/v1/me/tokens/{id}": async (world) => ({ id: (await ask("GET", "/api/v1/me", { token: world.token })).token.id }),
};

const asTest = ({ dealer }) => ctl(["org", "test", "--org", dealer.organisation.slug]);

// By operation: what else has to be there, or what else the text has to say.
const more = {
  beginExamination: async (world) => void (await asTest(world)),
  getExamination: async (world) => {
    await asTest(world);
    await make(world, "/api/v1/accounts/examination", {});
  },
  getStockFeed: async (world) => void (await makeItem(world)),
  getJobsFeed: async (world) => void (await makeJob(world, { reference: "JOB-1" })),
  getEventsFeed: async (world) => void (await makeEvent(world, { reference: "EV-1" })),
  getPostsFeed: async (world) => void (await makePost(world, { reference: "NEWS-1" })),
  putUpload: () => ({ "application/octet-stream": "application/pdf" }),
};

// A recipient gets three invitations a day, so each dealer invites somebody else.
const INVITED = "max@ashford.example";
const invited = ({ dealer }) => `invited-${dealer.email}`;

async function byCollection(world, path, values) {
  const filled = {};
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
    const collection = path.slice(0, path.indexOf(`/{${name}}`));
    const found = Object.values(world.examples).find((each) => each.method === "POST" && each.path === collection);
    if (!found) throw new Error(`tests/docs/fixtures.mjs has no row for ${path}, and nothing is made by POST ${collection}`);
    const address = fill(collection, filled);
    const body = found.body && JSON.parse(JSON.stringify(found.body).replaceAll(INVITED, invited(world)));
    const data = await ask("POST", address, { token: world.token, body: body ?? undefined });
    filled[name] = data.id ?? Object.values(data).find((each) => each?.id)?.id ?? values[name];
  }
  return filled;
}

export const fill = (path, values) => path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(values[name]));

// What to replace in an example's text, and its environment.
export async function prepare(world, id, example) {
  const signed = await ask("POST", "/api/v1/auth", { body: { email: world.dealer.email, password: world.dealer.password } });
  world.token = signed.token;
  const values = Object.keys(example.values).length === 0 ? {} :
    await (rows[example.path] ? rows[example.path](world, example, example.values) : byCollection(world, example.path, example.values));
  const replaced = new Map([[fill(example.path, example.values), fill(example.path, values)]]);
  const speaksOf = (last) => example.curl.includes(fixed(last)) && !Object.values(example.values).includes(fixed(last));
  replaced.set(fixed("a001"), world.dealer.organisation.id);
  if (speaksOf("b001")) replaced.set(fixed("b001"), (await makeJob(world)).id);
  if (speaksOf("c001")) replaced.set(fixed("c001"), (await makeItem(world, { reference: "VAN-0001" })).id);
  if (speaksOf("d001")) replaced.set(fixed("d001"), (await makeFile(world)).id);
  replaced.set("dana@example.com", world.dealer.email).set("correct horse battery staple", world.dealer.password).set(INVITED, invited(world));
  // A time in a query is one to poll from. That of the example is too long ago some day, as the parameter's text says.
  for (const [, each] of example.query) if (/^\d{4}-\d\d-\d\dT/.test(each)) replaced.set(encodeURIComponent(each).replaceAll("%3A", ":"), new Date().toISOString());
  for (const [from, to] of Object.entries((await more[id]?.(world)) ?? {})) replaced.set(from, to);
  return { replaced, env: { TOKEN: world.token } };
}
