// tradepost.d.ts, by the compiler of TypeScript: it is valid, it describes real answers, and it refuses what the API refuses.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, call, test } from "../browser/testing.mjs";
import { makeDealers } from "./dealers.mjs";

// What the compiler says of these lines, which may use all types.
async function compile(lines) {
  const folder = await mkdtemp(join(tmpdir(), "tradepost-types-"));
  await writeFile(join(folder, "tradepost.d.ts"), (await call("GET", "/docs/tradepost.d.ts")).text);
  await writeFile(join(folder, "use.ts"), `import type * as Api from "./tradepost";\n${lines}\nexport {};\n`);
  const said = await new Promise((resolve) => {
    execFile("node", [join(process.env.BUILD, "docs-tools/node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "use.ts", "tradepost.d.ts"],
      { cwd: folder }, (_, out) => resolve(out));
  });
  await rm(folder, { recursive: true });
  return said.trim();
}

test("the types compile, and real answers have them", async () => {
  const { dealers: [dealer] } = await makeDealers(1);
  const { token } = await ask("POST", "/api/v1/auth", { body: { email: dealer.email, password: dealer.password } });
  const body = { reference: "T-1", title: "Ford Transit", price: 1450000, currency: "GBP", attributes: { fuel: "Diesel" }, status: "PUBLISHED" };
  const item = await ask("POST", "/api/v1/stock", { token, body });
  const read = async (path) => JSON.stringify({ data: await ask("GET", path, { token }) });
  assert.equal(await compile(`
    const made: Api.StockItem = ${JSON.stringify(item)};
    const sent: Api.StockItemNew = ${JSON.stringify(body)};
    const page: Api.Operations["listStock"]["answer"] = ${await read("/api/v1/stock")};
    const jobs: Api.Operations["listJobs"]["answer"] = ${await read("/api/v1/jobs")};
    const me: Api.Operations["getMe"]["answer"] = ${await read("/api/v1/me")};
    const account: Api.Operations["getAccount"]["answer"] = ${await read("/api/v1/accounts")};
    const enquiries: Api.EnquiryPageAnswer = ${await read("/api/v1/enquiries")};
    const change: Api.StockItemChange = { price: null, attributes: { fuel: null }, availability: "SOLD" };
    const titles: string[] = page.data.stock.map((each) => each.title);
    const where: Api.Operations["getStockItem"]["parameters"] = { id: made.id };
    const query: Api.Operations["listStock"]["query"] = { limit: 2, status: ["PUBLISHED"], hasImages: true };
    const uploads: (string | null | undefined)[] = made.images.map((each) => each.uploadId);
    const method: "PATCH" = "PATCH" as Api.Operations["changeStockItem"]["method"];
    void [made, sent, jobs, me, account, enquiries, change, titles, where, query, uploads, method];
  `), "");
});

test("the types refuse what the API refuses", async () => {
  const faults = [
    'export const unknownCode: Api.StockItemChange = { availability: "GONE" };',
    'export const missingField: Api.StockItemNew = { reference: "T-1" };',
    'export const unknownField: Api.StockItemNew = { reference: "T-1", title: "x", colour: "red" };',
    "export const neverNull: null = ({} as Api.StockItem).title;",
    "export const maybeNull: number = ({} as Api.StockItem).price;",
  ];
  const said = await compile(faults.join("\n"));
  assert.deepEqual([...said.matchAll(/^use\.ts\((\d+),/gm)].map((found) => Number(found[1])), faults.map((_, i) => i + 2), said);
});
