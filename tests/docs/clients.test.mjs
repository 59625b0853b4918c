// The clients that the reference offers, by one table of calls (clients/calls.json): against the stack, and through a server that lets
// requests fail on their way to it. A program in each language does what a line of its input says (clients/driver.*).
//
// A step has `call`, `args`, and the token that is used, `with`; `fault` is a way through the other server. The answer must have the members of
// `gives`, be equal to `equals`, have `count` rows, or be the `error` with its `errors`; `slept` are the lower and upper ends of pauses, `requests` is how many
// went through the other server; `until` asks again until it is so. `keep` names an answer, to which "$name.member" refers later, as a name of a member, too;
// of rows, "$name.copy" is what verify() takes. "<float 1>" is 1.0.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ask, base, test } from "../browser/testing.mjs";
import { drawPicture } from "../browser/visit.mjs";
import { limit } from "../support/waiting.mjs";
import { makeDealers } from "./dealers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const authority = join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem");
const table = JSON.parse(await readFile(join(here, "clients/calls.json"), "utf8"));
const programs = { JavaScript: ["node", "driver.mjs"], Python: ["/usr/bin/python3", "driver.py"], PHP: ["php", "driver.php"] };
const refusals = { 429: [429, "Too many requests. Please try again later.", 7], 503: [503, "Service unavailable"], down: [503, "Service unavailable"], closed: [503, "Service unavailable"],
  long: [429, "Too many requests. Please try again later.", 900] };
const times = { 429: 1, 503: 2, down: 9, closed: 9, long: 1, lost: 1, lostToken: 1, expiring: 0, counted: 0, example: 0, moving: 0 };
// The items of the description's example of a digest.
const exampleItems = { "0195f0a0-0000-7000-8000-000000009001": "2026-03-01T12:00:00.000Z", "0195f0a0-0000-7000-8000-000000009002": "2026-03-01T12:05:00.000Z",
  "0195f0a0-0000-7000-8000-000000009101": "2026-03-02T08:30:00.250Z" };

const description = JSON.parse(await readFile(join(process.env.BUILD, "www/docs/openapi.json"), "utf8"));
const exampleDigest = description.paths["/api/v1/stock/digest"].get.responses[200].content["application/json"].example;

// /FAULT/PATH: the first requests of a fault are refused, or passed on and their answer dropped; the others are passed on. `expiring` adds
// what is told of a token in its last days. `moving` makes a draft of the first job of the first page before it answers. `example` answers itself: with the description's
// example of a digest, and with the entries of its parts where the query has `make=Ford`.
function startFaulty(keys) {
  const seen = {};
  const server = http.createServer((request, response) => {
    const [, fault, path] = /^\/(\w+)(\/.*)$/.exec(request.url);
    (keys[fault] ??= []).push(request.headers["idempotency-key"]);
    const fails = (seen[fault] = (seen[fault] ?? 0) + 1) <= times[fault];
    if (fails && !fault.startsWith("lost")) {
      const [status, error, wait] = refusals[fault];
      request.resume();
      return response.writeHead(status, { "Content-Type": "application/json", ...(wait && { "Retry-After": wait }) }).end(JSON.stringify({ error }));
    }
    if (fault === "example") {
      const query = new URL(path, base).searchParams, part = query.get("part");
      const entries = Object.entries(exampleItems).filter(([id]) => id.endsWith(part) && query.get("make") === "Ford").map(([id, updatedAt]) => ({ id, reference: null, updatedAt }));
      return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(part ? { data: { entries } } : exampleDigest));
    }
    const moves = fault === "moving" && seen[fault] === 1;
    const headers = { ...request.headers, host: new URL(base).host, ...(moves && { "accept-encoding": "identity" }) };
    const onward = https.request(base + path, { method: request.method, headers, rejectUnauthorized: false }, async (answer) => {
      if (fails) {
        answer.resume();
        return answer.on("end", () => response.destroy());
      }
      response.writeHead(answer.statusCode, { ...answer.headers, ...(fault === "expiring" && { "X-Token-Expires-At": "2036-01-01T00:00:00.000Z" }) });
      if (!moves) return answer.pipe(response);
      let text = "";
      for await (const part of answer.setEncoding("utf8")) text += part;
      const { jobs: [{ id }] } = JSON.parse(text).data, token = request.headers.authorization.slice("Bearer ".length);
      for (const status of ["ARCHIVED", "DRAFT"]) await ask("PATCH", `/api/v1/jobs/${id}`, { token, body: { status } });
      response.end(text);
    });
    request.pipe(onward);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

// A program of its own, to which each line is a call.
function startDriver([program, file]) {
  const child = spawn(program, [join(here, "clients", file)], { stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, CA_FILE: authority, NODE_EXTRA_CA_CERTS: authority, NO_PROXY: "*" } });
  let errors = "", waiting = null;
  child.stderr.on("data", (part) => (errors += part));
  createInterface({ input: child.stdout }).on("line", (line) => waiting.resolve(line));
  child.on("close", () => waiting?.reject(new Error(`the driver ended: ${errors}`)));
  return {
    ask: (line) => new Promise((resolve, reject) => {
      waiting = { resolve: (text) => { waiting = null; resolve(JSON.parse(text)); }, reject };
      child.stdin.write(`${JSON.stringify(line).replace(/"<float (\d+)>"/g, "$1.0")}\n`);
    }),
    end: () => child.stdin.end(),
  };
}

const shapes = { "<text>": /./, "<time>": /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "<64 digits>": /^[0-9a-f]{64}$/, "<32 digits>": /^[0-9a-f]{32}$/ };

function filled(node, kept) {
  if (typeof node === "string" && /^\$[a-z]/.test(node)) {
    const [name, ...members] = node.slice(1).split(".");
    assert.ok(name in kept, node);
    return members.reduce((at, member) => at[member], kept[name]);
  }
  if (Array.isArray(node)) return node.map((each) => filled(each, kept));
  return node && typeof node === "object" ? Object.fromEntries(Object.entries(node).map(([name, each]) => [filled(name, kept), filled(each, kept)])) : node;
}

// PHP has one kind of array.
function inPhp(node) {
  if (!node || typeof node !== "object") return node;
  const values = Array.isArray(node) ? node.map(inPhp) : Object.fromEntries(Object.entries(node).map(([name, each]) => [name, inPhp(each)]));
  const names = Object.keys(values);
  return names.every((name, number) => name === String(number)) ? Object.values(values) : values;
}

function has(found, wanted, where = "") {
  if (typeof wanted === "string" && shapes[wanted]) return assert.match(found, shapes[wanted], where);
  if (!wanted || typeof wanted !== "object") return assert.deepEqual(found, wanted, where);
  if (Array.isArray(wanted)) assert.equal(found?.length, wanted.length, `${where} ${JSON.stringify(found)?.slice(0, 300)}`);
  for (const [name, each] of Object.entries(wanted)) has(found?.[name], each, `${where}/${name}`);
}

function check(step, answer, kept, language, requests) {
  const as = language === "PHP" ? inPhp : (value) => value;
  if (step.error) assert.deepEqual(answer.error, step.error, JSON.stringify(answer.value)?.slice(0, 300));
  else assert.equal(answer.error, undefined, JSON.stringify(answer.error));
  if (step.gives !== undefined) has(as(answer.value), as(filled(step.gives, kept)));
  if (step.equals !== undefined) assert.deepEqual(answer.value, filled(step.equals, kept));
  if (step.count !== undefined) assert.equal(answer.value.rows.length, step.count);
  if (step.errors) assert.deepEqual(answer.errors, step.errors);
  if (step.retryAfter) assert.equal(answer.retryAfter, step.retryAfter);
  if (step.requestId) has(answer.requestId, step.requestId);
  if (step.requests) assert.equal(requests, step.requests, "requests");
  if (!step.slept) return;
  assert.equal(answer.slept.length, step.slept.length, String(answer.slept));
  step.slept.forEach(([low, high], number) => assert.ok(answer.slept[number] >= low && answer.slept[number] <= high, String(answer.slept)));
}

for (const [language, program] of Object.entries(programs))
  test(`the client for ${language} passes the table of calls`, async ({ page }) => {
    const { dealers: [dealer] } = await makeDealers(1);
    const folder = await mkdtemp(join(tmpdir(), "tradepost-client-"));
    await page.goto("about:blank");
    await writeFile(join(folder, "van.jpg"), (await drawPicture(page, { type: "image/jpeg", width: 64, height: 48 })).buffer);
    const [secret, now] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", String(Math.floor(Date.now() / 1000))];
    const sign = (at) => `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64")).update(`m-1.${at}.{}`).digest("base64")}`;
    const kept = { dealer: { ...dealer, friend: `friend-of-${dealer.email}`, picture: join(folder, "van.jpg") }, signed: { secret, now, good: `v1,x ${sign(now)}`, old: sign("1") } };
    const keys = {}, server = await startFaulty(keys), driver = startDriver(program);
    try {
      for (const { name, steps } of table)
        for (const [number, step] of steps.entries()) {
          const token = "with" in step ? step.with && kept[step.with].token : kept.own?.token;
          const line = { base: step.fault ? `http://127.0.0.1:${server.address().port}/${step.fault}` : base, call: step.call, token: token ?? null,
            args: filled(step.args ?? [], kept), organisation: step.organisation && filled(step.organisation, kept) };
          const before = keys[step.fault]?.length ?? 0;
          const end = Date.now() + limit(20_000);
          let answer;
          const isRight = () => {
            try {
              check(step, answer, kept, language, keys[step.fault]?.length - before);
              return true;
            } catch (error) {
              if (step.until && Date.now() < end) return false;
              error.message = `${name}, step ${number + 1}, ${step.call}: ${error.message}`;
              throw error;
            }
          };
          for (answer = await driver.ask(line); !isRight(); answer = await driver.ask(line)) await new Promise((resolve) => setTimeout(resolve, 200));
          if (step.keep) kept[step.keep] = answer.value;
          if (step.keep && answer.value?.rows) answer.value.copy = Object.fromEntries(answer.value.rows.map(({ id, updatedAt }) => [id, updatedAt]));
        }
    } finally {
      driver.end();
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    }
    // The same key each time, or the service could not know.
    assert.equal(keys.lost.length, 2);
    assert.ok(keys.lost[0] && keys.lost[0] === keys.lost[1]);
    assert.equal(new Set(keys["503"].slice(0, 3)).size, 1);
  });

test("every method of a client is in the table", async () => {
  const called = new Set(table.flatMap(({ steps }) => steps.map((step) => step.call.split(".").pop())));
  const types = await readFile(join(process.env.BUILD, "www/docs/tradepost.d.ts"), "utf8");
  const methods = [...types.slice(types.indexOf("/** The client in tradepost.js. */")).matchAll(/^ {2}(?:static )?([a-z][A-Za-z]*)(?:<[^>]*>)?\(/gm)].map((found) => found[1]);
  // One makes the object of others, one is what all others use.
  const others = ["constructor", "header", "organisation", "request"];
  assert.deepEqual([...new Set(methods)].filter((each) => !others.includes(each) && !called.has(each)), []);
  const snake = (name) => name.replace(/[A-Z]/g, (found) => `_${found.toLowerCase()}`);
  const python = await readFile(join(process.env.BUILD, "www/docs/tradepost.py"), "utf8"), php = await readFile(join(process.env.BUILD, "www/docs/Tradepost.php"), "utf8");
  for (const each of methods.filter((name) => !others.includes(name))) {
    assert.ok(python.includes(`def ${snake(each)}(`), `Python has no ${each}`);
    assert.ok(php.includes(`function ${each}(`), `PHP has no ${each}`);
  }
  for (const [program, ...args] of [["php", "-l", "Tradepost.php"], ["node", "--check", "tradepost.js"]])
    execFileSync(program, args, { cwd: join(process.env.BUILD, "www/docs") });
});
