// Links of letters. What they contain is stored nowhere but in the letter, so a run stores the hash of one of its own; tests/mail reads letters.
import { execFile } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const quote = (text) => `'${text.replaceAll("'", "''")}'`;

async function execute(statement) {
  const settings = await readFile(join(process.env.TRADEPOST_TEST_STATE, "tradepost.toml"), "utf8");
  const setting = (name) => new RegExp(`^${name} = "(.*)"$`, "m").exec(settings)[1];
  const { stdout } = await promisify(execFile)("mysql", ["--no-defaults", "--skip-column-names", `--socket=${setting("socket")}`, `--user=${setting("user")}`, setting("name"), "-e", statement],
    { env: { ...process.env, MYSQL_PWD: setting("password") } });
  return stdout;
}

async function stored(statement) {
  const token = randomBytes(32).toString("hex");
  await execute(statement(`UNHEX('${createHash("sha256").update(token).digest("hex")}')`));
  return { token };
}

export const resetLink = (email) => stored((hash) =>
  `INSERT INTO password_resets (hash, user_id, created_at, expires_at) SELECT ${hash}, id, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 30 MINUTE FROM users WHERE email_key = ${quote(email)}`);

export const invitationLink = (email, organisation) => stored((hash) =>
  `INSERT INTO invitations (id, organisation_id, email, email_key, role, invited_by, hash, created_at, expires_at) SELECT UNHEX(REPLACE(UUID(), '-', '')), organisation_id, ${quote(email)}, ${quote(email)}, 'MEMBER', user_id, ${hash}, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 7 DAY FROM memberships WHERE organisation_id = UNHEX(REPLACE(${quote(organisation)}, '-', '')) AND role = 'ADMIN' LIMIT 1`);

export const emailLink = (email, fresh) => stored((hash) =>
  `INSERT INTO email_changes (id, user_id, email, email_key, hash, created_at, expires_at) SELECT UNHEX(REPLACE(UUID(), '-', '')), id, ${quote(fresh)}, ${quote(fresh.toLowerCase())}, ${hash}, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 60 MINUTE FROM users WHERE email_key = ${quote(email)}`);

// Signed as fcgi-app/identity/people/enquiry_mail.cpp does.
export async function unsubscribeLink(email, organisation) {
  const rows = await execute(`INSERT IGNORE INTO instance_keys (name, value, created_at) VALUES ('unsubscribe', UNHEX(REPEAT('5a', 32)), UTC_TIMESTAMP(3)); SELECT HEX(value) FROM instance_keys WHERE name = 'unsubscribe'; SELECT HEX(id) FROM users WHERE email_key = ${quote(email)}`);
  const [key, user] = rows.trim().split("\n").map((hex) => Buffer.from(hex, "hex"));
  const ids = Buffer.concat([user, Buffer.from(organisation.replaceAll("-", ""), "hex")]);
  const signature = createHmac("sha256", key).update("unsubscribe 1").update(ids).digest();
  return { token: Buffer.concat([ids, signature]).toString("base64url") };
}
