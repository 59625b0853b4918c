// Every example of the reference, run as a reader would: pasted, with BASE and TOKEN in the environment.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { base, test } from "../browser/testing.mjs";
import { long } from "../support/cases.mjs";
import { limit, untilServed } from "../support/waiting.mjs";
import { makeDealers } from "./dealers.mjs";
import { pdf, prepare } from "./fixtures.mjs";

const examples = JSON.parse(await readFile(join(process.env.BUILD, "www/docs/examples.json"), "utf8"));
const authority = join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem");
const programs = {
  curl: (text) => ["bash", ["-c", text]],
  javascript: (text) => ["node", ["--input-type=module", "-e", text]],
  python: (text) => ["/usr/bin/python3", ["-c", text]],
  php: (text) => ["php", ["-d", `curl.cainfo=${authority}`, "-r", text.replace(/^<\?php\n/, "")]],
};
const atOnce = 3;

const run = ([program, args], cwd, env) => new Promise((resolve) => {
  execFile(program, args, { cwd, timeout: limit(60_000), maxBuffer: 16 << 20, env: { ...process.env, BASE: base, CURL_CA_BUNDLE: authority, SSL_CERT_FILE: authority, NODE_EXTRA_CA_CERTS: authority, NO_PROXY: "*", ...env } },
    (error, out, errors) => resolve({ code: error ? error.code ?? 1 : 0, out, errors }));
});

// Runs an example again while the service is busy. What an example prints depends on its language.
const isBusy = ({ code, out, errors }) => code === 0 ? /^\{"error": ?"(Service|Search) unavailable"/.test(out) : /(Service|Search) unavailable|\b503\b/.test(out + errors);
const runUntilServed = (...given) => untilServed(async () => {
  const done = await run(...given);
  return { ...done, status: isBusy(done) ? 503 : 200, headers: { "retry-after": "1" } };
});

let made = null;
const all = Object.entries(examples);
const languages = Object.keys(programs);

async function runExample(id, example, language, folder) {
  const { dealers } = await (made ??= makeDealers(all.length * languages.length));
  const world = { dealer: dealers[all.findIndex(([each]) => each === id) * languages.length + languages.indexOf(language)], examples };
  const { replaced, env } = await prepare(world, id, example);
  let text = example[language];
  for (const [from, to] of replaced) text = text.replaceAll(from, to);
  const { code, out, errors } = await runUntilServed(programs[language](text), folder, env);
  if (code !== 0) return `${id} ended with ${code}: ${out.slice(0, 300)} ${errors.slice(0, 600)}\n${text}`;
  if (language !== "curl" || text.includes("-o answer.bin") || !out.startsWith("{")) return out || text.includes("-o answer.bin") ? null : `${id} printed nothing`;
  const answer = JSON.parse(out);
  return answer.error || !("data" in answer || "openapi" in answer || example.path.includes("/feed")) ? `${id}: ${out.slice(0, 300)}` : null;
}

// Each example runs in one language, the next one in the next language; with TRADEPOST_TEST_LONG each runs in all of them.
const isRun = (number, language) => long || number % languages.length === languages.indexOf(language);

for (const language of languages)
  for (const tag of [...new Set(all.filter((_, number) => isRun(number, language)).map(([, example]) => example.tag))])
    test(`the ${language} examples of ${tag} work`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "tradepost-docs-"));
      await writeFile(join(folder, "van.jpg"), pdf);
      const waiting = all.filter(([, example], number) => example.tag === tag && isRun(number, language));
      assert.ok(waiting.length > 0);
      const faults = [];
      const work = async () => {
        for (let next; (next = waiting.shift()); ) {
          const fault = await runExample(...next, language, folder).catch((error) => `${next[0]}: ${error.message}`);
          if (fault) faults.push(fault);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      await rm(folder, { recursive: true });
      assert.deepEqual(faults, []);
    });

test("every operation of the description has its examples on a page", async () => {
  const description = JSON.parse(await readFile(join(process.env.BUILD, "www/docs/openapi.json"), "utf8"));
  const operations = Object.values(description.paths).flatMap((item) => ["get", "post", "put", "patch", "delete"].flatMap((method) => item[method] ?? []));
  assert.deepEqual(Object.keys(examples).sort(), operations.map((each) => each.operationId).sort());
});
