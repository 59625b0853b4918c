// What an example speaks of, made for real. The reference has fixed identifiers; a run replaces them by those of its own rows.
import { createHash } from "node:crypto";
import { ask } from "../browser/testing.mjs";
import { codeOf } from "../browser/totp.mjs";
import { addMember, asSession, beginSession } from "./dealers.mjs";
import { emailLink, invitationLink, resetLink, unsubscribeLink } from "./letters.mjs";

const fixed = (last) => `0195f0a0-7c00-7000-8000-00000000${last}`;
export const pdf = Buffer.from("JVBERi0xLjQKdHJhaWxlcgo8PCA+PgolJUVPRgo=", "base64");

// `world` has the dealer, a token, the description, and later a session; each function returns the parameter's value.
const published = { title: "Parts advisor", description: "Advise.", category: "Parts", contractType: "PERMANENT", city: "Leeds", status: "PUBLISHED" };
const van = { title: "Ford Transit", price: 1450000, currency: "GBP", status: "PUBLISHED" };
const make = (world, path, body) => ask("POST", path, { token: world.token, body });
const past = "2026-01-01T00:00:00Z";
const makeJob = (world, more) => make(world, "/api/v1/jobs", { ...published, ...more });
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
const onDashboard = (world, method, path, body) => ask(method, path, { body, headers: asSession(world) });

const stored = async (world) => {
  const [, , folder, file] = new URL((await makeFile(world)).url, "https://x").pathname.split("/");
  return { folder, file, name: "brochure.pdf" };
};

// By path: the values of its parameters. Without a row, a POST of the collection's own example makes what a path names.
const rows = {
  "/api/v1/jobs/{idOrSlug}": async (world) => ({ idOrSlug: (await makeJob(world)).id }),
  "/api/v1/jobs/by-reference/{reference}": async (world, { method }, values) => {
    if (method !== "PUT") await makeJob(world, values);
    return values;
  },
  "/api/v1/stock/{id}": async (world) => ({ id: (await makeItem(world)).id }),
  "/api/v1/stock/by-reference/{reference}": async (world, { method }, values) => {
    if (method !== "PUT") await makeItem(world, values);
    return values;
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
  "/api/v1/events/{idOrSlug}": async (world) =>
    ({ idOrSlug: (await make(world, "/api/v1/events", { title: "Open day", startsAt: "2036-01-01T00:00:00Z", city: "Leeds", publishedAt: past })).id }),
  "/api/v1/posts/{idOrSlug}": async (world) => ({ idOrSlug: (await make(world, "/api/v1/posts", { title: "News", body: "Some.", publishedAt: past })).id }),
  "/api/v1/accounts/members/{userId}": async ({ dealer }) => ({ userId: await addMember(dealer) }),
  "/api/v1/accounts/integrations/{id}/tokens/{tokenId}": async (world) => {
    const { id } = await makeIntegration(world);
    return { id, tokenId: (await make(world, `/api/v1/accounts/integrations/${id}/tokens`, { name: "November" })).id };
  },
  "/unsubscribe/{token}": ({ dealer }) => unsubscribeLink(dealer.email, dealer.organisation.id),
  "/dashboard/api/reset/{token}": ({ dealer }) => resetLink(dealer.email),
  // The same address in other letters, so that the dealer goes on signing in with it.
  "/dashboard/api/email/{token}": ({ dealer }) => emailLink(dealer.email, dealer.email.toUpperCase()),
  "/dashboard/api/invitation/{token}": ({ dealer }) => invitationLink(`invited-${dealer.email}`, dealer.organisation.id),
  "/api/v1/me/tokens/{id}": async (world) => ({ id: (await ask("GET", "/api/v1/me", { token: world.token })).token.id }),
  "/dashboard/api/tokens/{id}": async (world) => ({ id: (await onDashboard(world, "POST", "/dashboard/api/tokens", { name: "Feed" })).id }),
  "/dashboard/api/sessions/{id}": async (world) => {
    await beginSession(world.dealer);
    return { id: (await onDashboard(world, "GET", "/dashboard/api/sessions")).sessions.find((each) => !each.current).id };
  },
  "/dashboard/api/organisations/{id}/second-factor": ({ dealer }) => ({ id: dealer.organisation.id }),
};

async function secondFactor(world) {
  const { secret } = await onDashboard(world, "POST", "/dashboard/api/second-factor");
  const code = codeOf(secret.replaceAll(" ", ""));
  return { secret, code, enable: () => onDashboard(world, "PUT", "/dashboard/api/second-factor", { code }) };
}

// By operation: what else has to be there, or what else the text has to say.
const more = {
  enableSecondFactor: async (world) => ({ 638952: (await secondFactor(world)).code }),
  removeSecondFactor: async (world) => void (await (await secondFactor(world)).enable()),
  renewRecoveryCodes: async (world) => void (await (await secondFactor(world)).enable()),
  withdrawEmailChange: async ({ dealer }) => void (await emailLink(dealer.email, `new-${dealer.email}`)),
  getStockFeed: async (world) => void (await makeItem(world)),
  getJobsFeed: async (world) => void (await makeJob(world, { reference: "JOB-1" })),
  putUpload: () => ({ "application/octet-stream": "application/pdf" }),
};

async function byCollection(world, path, values) {
  const filled = {};
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
    const collection = path.slice(0, path.indexOf(`/{${name}}`));
    const found = Object.values(world.examples).find((each) => each.method === "POST" && each.path === collection);
    if (!found) throw new Error(`tests/docs/fixtures.mjs has no row for ${path}, and nothing is made by POST ${collection}`);
    const address = fill(collection, filled);
    const data = await ask("POST", address, { token: world.token, body: found.body ?? undefined });
    filled[name] = data.id ?? Object.values(data).find((each) => each?.id)?.id ?? values[name];
  }
  return filled;
}

export const fill = (path, values) => path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(values[name]));

// What to replace in an example's text, and its environment.
export async function prepare(world, id, example) {
  const signed = await ask("POST", "/api/v1/auth", { body: { email: world.dealer.email, password: world.dealer.password } });
  world.token = signed.token;
  if (example.session || example.path.startsWith("/dashboard/")) Object.assign(world, await beginSession(world.dealer));
  const values = Object.keys(example.values).length === 0 ? {} :
    await (rows[example.path] ? rows[example.path](world, example, example.values) : byCollection(world, example.path, example.values));
  const replaced = new Map([[fill(example.path, example.values), fill(example.path, values)]]);
  const speaksOf = (last) => example.curl.includes(fixed(last)) && !Object.values(example.values).includes(fixed(last));
  replaced.set(fixed("a001"), world.dealer.organisation.id);
  if (speaksOf("b001")) replaced.set(fixed("b001"), (await makeJob(world)).id);
  if (speaksOf("c001")) replaced.set(fixed("c001"), (await makeItem(world, { reference: "VAN-0001" })).id);
  if (speaksOf("d001")) replaced.set(fixed("d001"), (await makeFile(world)).id);
  replaced.set("dana@example.com", world.dealer.email).set("correct horse battery staple", world.dealer.password);
  // A time in a query is one to poll from.
  for (const each of Object.values(example.query)) if (/^\d{4}-\d\d-\d\dT/.test(each)) replaced.set(encodeURIComponent(each).replaceAll("%3A", ":"), new Date().toISOString());
  for (const [from, to] of Object.entries((await more[id]?.(world)) ?? {})) replaced.set(from, to);
  return { replaced, env: { TOKEN: world.token, SESSION: world.session ?? "", CSRF: world.csrf ?? "" } };
}
