// The client for PHP, by PHP itself: against the stack, and through a server that lets requests fail on their way to it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { base, test } from "../browser/testing.mjs";
import { drawPicture } from "../browser/visit.mjs";
import { makeDealers } from "./dealers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const authority = join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem");
const refusals = { 429: [429, "Too many requests. Please try again later.", 7], 503: [503, "Service unavailable"], down: [503, "Service unavailable"], closed: [503, "Service unavailable"],
  long: [429, "Too many requests. Please try again later.", 900] };
const times = { 429: 1, 503: 2, down: 9, closed: 9, long: 1, lost: 1 };

// /FAULT/PATH: the first requests of a fault are refused, or passed on and their answer dropped; the others are passed on.
function startFaulty(keys) {
  const seen = {};
  const server = http.createServer((request, response) => {
    const [, fault, path] = /^\/(\w+)(\/.*)$/.exec(request.url);
    (keys[fault] ??= []).push(request.headers["idempotency-key"]);
    const fails = (seen[fault] = (seen[fault] ?? 0) + 1) <= times[fault];
    if (fails && fault !== "lost") {
      const [status, error, wait] = refusals[fault];
      request.resume();
      return response.writeHead(status, { "Content-Type": "application/json", ...(wait && { "Retry-After": wait }) }).end(JSON.stringify({ error }));
    }
    const onward = https.request(base + path, { method: request.method, headers: { ...request.headers, host: new URL(base).host }, rejectUnauthorized: false }, (answer) => {
      if (fails) {
        answer.resume();
        return answer.on("end", () => response.destroy());
      }
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

test("the client for PHP does all that it says, and repeats what fails on the way", async ({ page }) => {
  const { dealers: [dealer] } = await makeDealers(1);
  const folder = await mkdtemp(join(tmpdir(), "tradepost-php-"));
  const picture = join(folder, "van.jpg");
  await page.goto("about:blank");
  await writeFile(picture, (await drawPicture(page, { type: "image/jpeg", width: 64, height: 48 })).buffer);
  const keys = {};
  const server = await startFaulty(keys);
  try {
    const { stdout } = await promisify(execFile)("php", [join(here, "client.php"), base, `http://127.0.0.1:${server.address().port}`, authority, dealer.email, dealer.password, picture],
      { timeout: 60_000, env: { ...process.env, NO_PROXY: "*" } });
    assert.equal(stdout, "all\n");
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
  // The same key each time, or the service could not know.
  assert.equal(keys.lost.length, 2);
  assert.ok(keys.lost[0] && keys.lost[0] === keys.lost[1]);
  assert.equal(new Set(keys["503"].slice(0, 3)).size, 1);
});
