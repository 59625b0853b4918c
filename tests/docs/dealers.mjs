// Dealers for the examples: each run gets an organisation and an ADMIN of its own, so that none depends on another. They are imported
// together, because four commands for each would take longer than all examples.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { ctl } from "../browser/testing.mjs";

export const password = "a long enough password";

// A UUIDv7.
function uuid() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | (bytes[6] & 15);
  bytes[8] = 0x80 | (bytes[8] & 63);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const lines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

// {dealers}: so many of them, {email, password, organisation {id, slug}}.
export async function makeDealers(count) {
  const run = `${process.pid.toString(36)}${Date.now().toString(36)}`;
  const passwordHash = execFileSync("php", ["-r", "echo password_hash($argv[1], PASSWORD_BCRYPT, ['cost' => 4]);", password], { encoding: "utf8" });
  const dealers = Array.from({ length: count }, (_, i) => ({
    email: `${run}-${i}@docs.example`, password, organisation: { id: uuid(), slug: `docs-${run}-${i}`, name: `Ashford Motors ${i}` },
  }));
  await ctl(["import", "organisations", "-"], lines(dealers.map(({ organisation }) => ({ ...organisation, published: true }))));
  await ctl(["import", "users", "-"], lines(dealers.map(({ email, organisation }) => (
    { email, name: "Dana Field", passwordHash, memberships: [{ organisation: organisation.slug, role: "ADMIN" }] }))));
  return { dealers };
}

// A member beside the ADMIN; their id.
export async function addMember(dealer) {
  const email = `member-${dealer.email}`;
  await ctl(["import", "users", "-"], lines([{ email, name: "Sam Solo", memberships: [{ organisation: dealer.organisation.slug, role: "MEMBER" }] }]));
  const { users } = await ctl(["user", "list"]).then((found) => (Array.isArray(found) ? { users: found } : found));
  return users.find((each) => each.email === email).id;
}
