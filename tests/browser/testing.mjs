// The list of tests, and what they have to arrange them: users and organisations made by tradepostctl, a token for the API.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import https from "node:https";
import { join } from "node:path";
import { repeatable, untilServed } from "../support/waiting.mjs";

export const tests = [];
// body(visit): see visit.mjs. `push`: the page asks for Web Push. `notInFirefox` says what cannot be arranged there from outside.
// `alone`: in a browser of its own. After the contexts of some hundred tests Firefox takes nothing from its cache any more. `slow`: runs with
// TRADEPOST_TEST_LONG alone.
export const test = (name, body, { push = false, notInFirefox = null, alone = false, slow = false } = {}) => tests.push({ name, body, push, notInFirefox, alone, slow });

const need = (name) => process.env[name] ?? (() => { throw new Error(`${name} is not set: run this by tests/run browser`); })();
export const base = need("TRADEPOST_TEST_URL");
const config = join(need("TRADEPOST_TEST_STATE"), "tradepost.toml");

// Runs tradepostctl and returns what it prints, as JSON where it can.
export function ctl(args, input = "") {
  return new Promise((resolve, reject) => {
    const child = execFile(join(need("BUILD"), "tradepostctl"), ["--config", config, "--json", ...args], (error, out, errors) => {
      if (error) return reject(new Error(`tradepostctl ${args.join(" ")}: ${errors || error.message}`));
      try {
        resolve(JSON.parse(out));
      } catch {
        resolve(out.trim());
      }
    });
    child.stdin.on("error", () => {});  // it may end without reading
    child.stdin.end(input);
  });
}

let made = 0;
const unique = () => `${process.pid.toString(36)}${Date.now().toString(36)}${(++made).toString(36)}`;
export const password = "a long enough password";

// A new user: {email, password, name}.
export async function makeUser(name = "Dana Dealer") {
  const email = `${unique()}@dealers.example`;
  await ctl(["user", "add", "--email", email, "--name", name, "--password-stdin"], `${password}\n`);
  return { email, password, name };
}

// A new organisation, which is published unless it is a test organisation: {name, slug, id}.
export async function makeOrganisation(name = "Ashford Motors", { test: isTest = false } = {}) {
  const slug = `org-${unique()}`;
  const { id } = await ctl(["org", "add", "--name", name, "--slug", slug, isTest ? "--test" : "--published"]);
  return { name, slug, id };
}

export const addMember = (organisation, user, role = "ADMIN") => ctl(["org", "add-member", "--org", organisation.slug, "--email", user.email, "--role", role]);

// A user with an organisation of their own: the user's fields, and `organisation`.
export async function makeDealer({ role = "ADMIN", organisation } = {}) {
  const user = await makeUser();
  const own = organisation ?? (await makeOrganisation());
  await addMember(own, user, role);
  return { ...user, organisation: own, at: (...parts) => `/dashboard/${["o", own.slug, ...parts].join("/")}` };
}

const agent = new https.Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: 4 });

// One request to the API: {status, data, error, headers}.
function callOnce(method, path, { token, body, raw, headers } = {}) {
  const bytes = raw ?? (body === undefined ? null : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const request = https.request(base + path, { method, agent, headers: {
      ...(token && { Authorization: `Bearer ${token}` }), ...(bytes && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(bytes) }), ...headers,
    } }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        let json = {};
        try {
          json = JSON.parse(text);
        } catch {
          // a page
        }
        resolve({ status: response.statusCode, headers: response.headers, text, ...json });
      });
    });
    request.on("error", reject);
    request.end(bytes);
  });
}

// As callOnce(). Repeats the request while the service is busy.
export function call(method, path, options = {}) {
  const headers = repeatable(method, options.headers);
  return untilServed(() => callOnce(method, path, { ...options, headers }));
}

// As call(), and throws when the request is refused.
export async function ask(method, path, options) {
  const answer = await call(method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.error}`);
  return answer.data;
}

export const tokenOf = async ({ email, password }) => (await call("POST", "/api/v1/auth", { body: { email, password } })).data.token;

export const pdf = Buffer.from("%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R]/Count 1>> endobj\n3 0 obj <</Type/Page>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n");

// A READY upload of these bytes.
export async function upload(token, organisation, bytes, type = "image/png", filename = "picture.png") {
  const body = { organisationId: organisation.id, filename, contentType: type, data: bytes.toString("base64"),
    sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
  return ask("POST", "/api/v1/uploads", { token, body });
}
