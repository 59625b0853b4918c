// Does what a line of standard input says with the client for JavaScript, and answers each with a line. See ../clients.test.mjs.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { Tradepost, TradepostError } = await import(pathToFileURL(`${process.env.BUILD}/www/docs/tradepost.js`));

async function value(api, given, options) {
  const { base, call, args, organisation } = given;
  if (call === "signIn") return { token: (await Tradepost.signIn(base, args[0], args[1], { scopes: args[2], ...options })).token };
  // The old token's expiry is no longer told, and the new one is used.
  if (call === "rotateToken") return { token: await api.rotateToken(...args), expiresAt: api.tokenExpiresAt(), me: await api.me() };
  if (call === "tokenExpiresAt") return api.me().then(() => api.tokenExpiresAt());
  if (call === "isGenuine") return Tradepost.isGenuine(...args);
  if (call === "upload") return api.upload(await readFile(args[0]), basename(args[0]), "image/jpeg");
  const [name, method] = call.split(".");
  const made = method ? await (name === "organisation" ? api.organisation(organisation) : api[name])[method](...args) : await api[name](...args);
  if (method === "read") return { status: made.status, data: made.data, etag: made.header("etag") };
  if (!made?.[Symbol.asyncIterator]) return made ?? null;
  const rows = [];
  for await (const row of made) rows.push(row);
  return { rows, since: made.since ?? null };
}

for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line), slept = [];
  const options = { sleep: (seconds) => void slept.push(seconds) };
  let answer;
  try {
    answer = { value: await value(new Tradepost(given.base, given.token, options), given, options) };
  } catch (error) {
    if (!(error instanceof TradepostError)) throw error;
    answer = { error: [error.status, error.message], errors: error.errors, requestId: error.requestId, retryAfter: error.retryAfter };
  }
  console.log(JSON.stringify({ ...answer, slept }));
}
