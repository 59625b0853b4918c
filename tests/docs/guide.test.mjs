// What the reference shows beside its examples: the guide's commands, and how signatures are verified.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ask, base, call, test } from "../browser/testing.mjs";
import { limit } from "../support/waiting.mjs";
import { makeDealers } from "./dealers.mjs";

const unescaped = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");

const listings = async (path) => [...(await call("GET", path)).text.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g)].map((found) => unescaped(found[1]));

test("the guide's commands work as they stand", async () => {
  const { dealers: [dealer] } = await makeDealers(1);
  const commands = await listings("/docs/guide");
  assert.ok(commands.length > 10);
  const text = ["set -euo pipefail", ...commands].join("\n")
    .replace("https://marketplace.example", base).replace("dana@example.com", dealer.email).replace("correct horse battery staple", dealer.password);
  const folder = await mkdtemp(join(tmpdir(), "tradepost-guide-"));
  const authority = join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem");
  await writeFile(join(folder, "tls.ini"), `curl.cainfo = "${authority}"\n`);
  const trust = { CURL_CA_BUNDLE: authority, SSL_CERT_FILE: authority, NODE_EXTRA_CA_CERTS: authority, PHP_INI_SCAN_DIR: `:${folder}`,
    // As Node.js 18, which takes no .js file for a module by its text.
    NODE_OPTIONS: "--no-experimental-detect-module" };
  const { stdout } = await promisify(execFile)("bash", ["-c", text], { cwd: folder, timeout: limit(60_000), env: { ...process.env, ...trust, NO_PROXY: "*" } })
    .finally(() => rm(folder, { recursive: true }));

  // The picture by address changes its item when it likes.
  const verified = [...stdout.matchAll(/\{"equal".*$/gm)].map((found) => JSON.parse(found[0]));
  assert.equal(verified.length, 3, stdout);
  for (const { missing, changed, gone } of verified) assert.deepEqual([missing, gone, changed.length <= 1], [[], [], true]);

  const { token } = await ask("POST", "/api/v1/auth", { body: { email: dealer.email, password: dealer.password } });
  const { stock } = await ask("GET", "/api/v1/stock", { token });
  assert.deepEqual(stock.map((each) => [each.reference, each.status, each.documents.length, each.images.length]).sort(), [["VAN-1", "PUBLISHED", 1, 1], ["VAN-2", "PUBLISHED", 0, 0]]);
  const { enquiries } = await ask("GET", "/api/v1/enquiries", { token });
  assert.deepEqual(enquiries.map((each) => [each.status, each.stock.reference]), [["REPLIED", "VAN-1"]]);
  const job = await ask("GET", "/api/v1/jobs/by-reference/JOB-1", { token });
  assert.equal(job.status, "PUBLISHED");
  const { webhooks } = await ask("GET", "/api/v1/webhooks", { token });
  assert.deepEqual(webhooks.map((each) => each.events), [["stock.changed", "enquiry.created"]]);
});

test("the code that verifies signatures does, in each language", async () => {
  const [secret, id, body] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", '{"test": 2432232314}'];
  const sign = (at) => `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64")).update(`${id}.${at}.${body}`).digest("base64")}`;
  const page = (await call("GET", "/docs/webhooks")).text;
  for (const each of [secret, id, "1614265330", body.replaceAll('"', "&quot;"), sign(1614265330)]) assert.ok(page.includes(each) || page.includes(unescaped(each)), each);
  const [javascript, php, python] = await listings("/docs/webhooks");
  const now = Math.floor(Date.now() / 1000);
  const headersOf = (signature, at) => ({ "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signature });
  const good = headersOf(sign(now), now), without = (name) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));
  const cases = [
    [good, body, true], [headersOf(`v1,AAAA ${sign(now)}`, now), body, true], [good, `${body} `, false], [headersOf(sign(now - 400), now - 400), body, false],
    // Anybody can send anything.
    [{}, body, false], ...Object.keys(good).map((name) => [without(name), body, false]),
    ...["", "soon", "1e9", "9".repeat(5000)].map((at) => [headersOf(sign(at), at), body, false]),
    ...["", "v1", "v1,", "v1,\u00e9", `v2,${sign(now).slice(3)}`].map((signature) => [headersOf(signature, now), body, false]),
  ];
  const run = async (program, args) => (await promisify(execFile)(program, args)).stdout.trim();
  for (const [headers, text, expected] of cases) {
    const given = [JSON.stringify(headers), text, secret];
    const answers = [
      await run("node", ["--input-type=module", "-e", `${javascript}\nconst [headers, body, secret] = process.argv.slice(1);\nconsole.log(isGenuine(JSON.parse(headers), body, secret));`, ...given]),
      await run("php", ["-r", `${php}\n$headers = json_decode($argv[1], true);\necho json_encode(isGenuine($headers['webhook-id'] ?? null, $headers['webhook-timestamp'] ?? null, $headers['webhook-signature'] ?? null, $argv[2], $argv[3]));`, ...given]),
      (await run("/usr/bin/python3", ["-c", `${python}\nimport json, sys\nprint(is_genuine(json.loads(sys.argv[1]), sys.argv[2].encode(), sys.argv[3]))`, ...given])).toLowerCase(),
    ];
    assert.deepEqual(answers, Array(3).fill(String(expected)), JSON.stringify(headers).slice(0, 300));
  }
});
