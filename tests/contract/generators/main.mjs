// Generators of clients against the description that a stack serves: each makes a client of it, which is compiled and then calls the
// stack. Prints the table of generators and results; the last line is "N passed, N failed".
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ask, base, call } from "../../browser/testing.mjs";
import { makeDealers } from "../../docs/dealers.mjs";
import { fail, isWanted, Tally } from "../../support/cases.mjs";
import { limit, untilServed } from "../../support/waiting.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const tools = join(process.env.BUILD, "generators"), work = join(process.env.BUILD, "generators-work");
const generated = join(work, "generated");
const authority = join(process.env.TRADEPOST_TEST_STATE, "tls/cert.pem");

// What to run, and where its client is.
const generators = {
  "hey-api": ["openapi-ts", "-i", "../openapi.json", "-o", "hey-api", "-c", "@hey-api/client-fetch"],
  orval: ["orval", "--config", "../orval.config.cjs"],
  oazapfts: ["oazapfts", "../openapi.json", "oazapfts.ts"],
  "swagger-typescript-api": ["swagger-typescript-api", "generate", "-p", "../openapi.json", "-o", ".", "-n", "swagger-typescript-api.ts"],
  "openapi-typescript": ["openapi-typescript", "../openapi.json", "-o", "openapi-typescript.ts"],
};
const config = { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node10", lib: ["es2022", "dom", "dom.iterable"], types: ["node"], outDir: "js" };

const run = (name, args, cwd, env = {}) => promisify(execFile)(process.execPath, [join(tools, "node_modules/.bin", name), ...args],
  { cwd, timeout: limit(300_000), maxBuffer: 64 << 20, env: { ...process.env, CI: "1", NO_COLOR: "1", ...env } })
  .catch((error) => { throw new Error(`${error.stdout}${error.stderr}`.trim().split("\n").slice(0, 12).join("\n") || error.message); });

// The same calls with every client, and their answers.
async function use(client, dealer) {
  client.use(await client.createToken(dealer.email, dealer.password));
  assert.equal((await client.getMe()).email, dealer.email);
  assert.deepEqual(await client.getAccount().then(({ name, role }) => [name, role]), [dealer.organisation.name, "ADMIN"]);
  const made = await client.createItem("G-1", "Ford Transit");
  assert.deepEqual([made.reference, made.price, made.attributes], ["G-1", null, {}]);
  const put = await client.putItem("G-2", "Käfer", { fuel: "Petrol" });
  assert.deepEqual([put.title, put.attributes], ["Käfer", { fuel: "Petrol" }]);
  assert.equal((await client.getItem(made.id)).title, "Ford Transit");
  assert.equal((await client.changeItem(made.id, 1450000, "GBP")).price, 1450000);
  const { total, items } = await client.listItems("G-2");
  assert.deepEqual([total, items.map((each) => each.id)], [1, [put.id]]);
  assert.deepEqual(await client.getFacets(), { make: [], status: [{ value: "DRAFT", count: 2 }] });
  const fed = await client.writeFeed('{"reference": "G-3", "title": "Ford Ranger"}\n{"reference": "G-1", "title": "Ford Transit Custom"}\n');
  assert.deepEqual([fed.created, fed.failures], [1, []]);
  assert.deepEqual((await client.readFeed()).trim().split("\n").map((line) => JSON.parse(line).title), ["Ford Transit Custom", "Käfer", "Ford Ranger"]);
  assert.equal(typeof await client.listJobs(), "number");
  assert.equal(await client.deleteItem(made.id), true);
  assert.deepEqual(await client.getMissing(made.id), [404, "Not found"]);
}

// A schema without references.
function inlined(node, description) {
  if (Array.isArray(node)) return node.map((each) => inlined(each, description));
  if (!node || typeof node !== "object") return node;
  const { $ref, ...rest } = node;
  const target = $ref ? inlined($ref.slice(2).split("/").reduce((at, part) => at[part], description), description) : {};
  return { ...target, ...Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, inlined(each, description)])) };
}

// step-ci reads everything that needs no identifier, but for what test organisations alone have, and checks answers by the description's schemas.
async function checkReads(description, dealer) {
  const { run: runWorkflow } = createRequire(join(tools, "package.json"))("@stepci/runner");
  const { data } = await call("POST", "/api/v1/auth", { body: { email: dealer.email, password: dealer.password } });
  await ask("POST", "/api/v1/stock", { token: data.token, body: { reference: "S-1", title: "Ford Transit", attributes: { fuel: "Diesel" } } });
  const steps = Object.entries(description.paths).filter(([path, item]) => item.get && !path.includes("{") && !path.endsWith("/examination")).map(([path, { get }]) => {
    const needed = inlined(get.parameters, description).filter((each) => each.in === "query" && each.required);
    const params = Object.fromEntries(needed.map((each) => [each.name, each.name === "since" ? new Date().toISOString() : String(each.example)]));
    const schema = inlined(get.responses["200"], description).content?.["application/json"]?.schema;
    return { name: `GET ${path}`, http: { url: base + path, method: "GET", params, headers: { Authorization: `Bearer ${data.token}` }, check: { status: 200, ...(schema && { schema }) } } };
  });
  assert.ok(steps.length > 25);
  // It says that it does not know the formats of international addresses.
  console.warn = () => {};
  // All is read again if one of the answers was 503.
  const { bad } = await untilServed(async () => {
    const { result } = await runWorkflow({ version: "1.1", name: "reads", config: { continueOnFail: true, http: { rejectUnauthorized: false } }, tests: { reads: { steps } } });
    const failed = result.tests.flatMap((each) => each.steps).filter((each) => !each.passed);
    return { bad: failed, status: failed.some((each) => each.checks?.status?.given === 503) ? 503 : 200, headers: { "retry-after": "1" } };
  });
  assert.deepEqual(bad.map((each) => [each.name, each.errorMessage, each.checks?.status?.given, JSON.stringify(each.checks?.schema?.given)?.slice(0, 200)]), []);
}

async function outcomeOf(step) {
  try {
    await step();
    return null;
  } catch (error) {
    return String(error.stack ?? error);
  }
}

// A client runs in a process of its own, which knows the stack's certificate.
if (process.argv[2]) {
  await use(createRequire(import.meta.url)(join(work, "js", `${process.argv[2]}.js`)).calls, JSON.parse(process.env.DEALER));
  process.exit();
}

await rm(work, { recursive: true, force: true });
await mkdir(generated, { recursive: true });
await symlink(join(tools, "node_modules"), join(work, "node_modules"));
const served = await call("GET", "/api/v1/openapi.json");
assert.deepEqual(JSON.parse(served.text).servers.map((each) => each.url), [base]);
await writeFile(join(work, "openapi.json"), served.text);
await writeFile(join(work, "orval.config.cjs"), `module.exports = { tradepost: { input: "openapi.json", output: {
  target: "generated/orval.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } } } };\n`);
await cp(join(here, "calls.ts"), join(work, "calls.ts"));

// TRADEPOST_TEST_ONLY may name a single step of a generator, such as "orval calls". All steps of that generator run, as each needs the one before.
const steps = ["generates", "compiles", "calls"];
const names = Object.keys(generators).filter((name) => steps.some((step) => isWanted(`${name} ${step}`)));
const { dealers } = await makeDealers(names.length + 1);
const tally = new Tally(), faults = {};

// Runs a step and keeps its fault, or null.
async function timed(name, step, work) {
  const began = Date.now();
  (faults[name] ??= {})[step] = await outcomeOf(work);
  tally.took(`${name} ${step}`, Date.now() - began);
}
for (const name of names) {
  const [program, ...args] = generators[name];
  await timed(name, "generates", () => run(program, args, generated));
  await cp(join(here, `${name}.ts`), join(work, `${name}.ts`));
}
// One compiler for all; a fault belongs to the client whose file it names.
await writeFile(join(work, "tsconfig.json"), JSON.stringify({ compilerOptions: config, include: ["*.ts", "generated/**/*.ts"] }));
const said = (names.length && await outcomeOf(() => run("tsc", ["-p", "."], work))) || "";
for (const [number, name] of names.entries()) {
  const own = said.split("\n").filter((line) => new RegExp(`(^|/)${name}[./]`).test(line.split("(")[0]));
  faults[name].compiles = own.length ? own.join("\n") : null;
  await timed(name, "calls", () => promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), name], { timeout: limit(120_000),
    env: { ...process.env, BASE: base, DEALER: JSON.stringify(dealers[number]), NODE_EXTRA_CA_CERTS: authority, NO_PROXY: "*" } }));
}
const { dependencies } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
const packages = { "hey-api": "@hey-api/openapi-ts" };
console.log(["generator", "version", ...steps].join(" | "));
for (const name of names) console.log([name, dependencies[packages[name] ?? name], ...steps.map((step) => (faults[name][step] ? "no" : "yes"))].join(" | "));
if (isWanted("step-ci calls")) {
  await timed("step-ci", "calls", () => checkReads(JSON.parse(served.text), dealers.at(-1)));
  console.log(["step-ci", dependencies["@stepci/runner"], "-", "-", faults["step-ci"].calls ? "no" : "yes"].join(" | "));
}
for (const name of Object.keys(faults)) {
  for (const step of steps.filter((each) => each in faults[name])) {
    const fault = faults[name][step];
    if (!fault) tally.passed++;
    else {
      tally.failed++;
      fail(`${name} ${step}`, fault.length > 2000 ? `${fault.slice(0, 300)} … ${fault.slice(-1700)}` : fault);
    }
  }
}
// The compiler may complain of something that is in no client's file.
if (said && !names.some((name) => faults[name].compiles)) {
  tally.failed++;
  fail("all clients compile", said.slice(0, 2000));
}
process.exit(tally.finish());
