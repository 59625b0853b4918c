// Programs that were written from the reference alone do a dealer's whole work.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { base, test } from "../browser/testing.mjs";
import { limit } from "../support/waiting.mjs";
import { makeDealers } from "./dealers.mjs";

test("a program that was written from the reference does a dealer's whole work", async () => {
  const { dealers: [dealer] } = await makeDealers(1);
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL("integrator.mjs", import.meta.url))], {
    timeout: limit(120_000),
    env: { ...process.env, BASE: base, EMAIL: dealer.email, PASSWORD: dealer.password, NODE_EXTRA_CA_CERTS: join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem"), NO_PROXY: "*" },
  });
  assert.deepEqual(stdout.trim().split("\n"), ["has a token with scopes", "has sent its stock", "has attached pictures and a brochure",
    "follows changes and deletions", "does not overwrite what others changed", "works enquiries", "is told by webhooks", "leaves nothing behind"]);
});

test("one in Python does it too, and knows every refusal", async () => {
  const { dealers: [dealer] } = await makeDealers(1);
  const { stdout } = await promisify(execFile)("/usr/bin/python3", [fileURLToPath(new URL("integrator.py", import.meta.url))], {
    timeout: limit(200_000),
    env: { ...process.env, BASE: base, EMAIL: dealer.email, PASSWORD: dealer.password, CA_FILE: join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem"), NO_PROXY: "*" },
  }).catch((error) => error);
  assert.equal(stdout, "16 passed, 0 failed\n");
});
