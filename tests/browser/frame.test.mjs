// What nginx says about the dashboard's files.
import assert from "node:assert/strict";
import { base, call, makeDealer, test } from "./testing.mjs";
import { isFirefox } from "./visit.mjs";

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types notifier";

test("the document is for every page, kept by browsers for a week, and under a strict policy", async () => {
  for (const path of ["/dashboard/", "/dashboard/sign-in", "/dashboard/o/ashford-motors/stock", "/dashboard/settings/tokens?x=1"]) {
    const { status, headers, text } = await call("GET", path);
    assert.equal(status, 200, path);
    assert.match(text, /^<!doctype html>/);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(headers["content-security-policy"], policy);
    assert.equal(headers["cache-control"], "private, max-age=604800");
    assert.deepEqual([headers["x-content-type-options"], headers["referrer-policy"], headers["strict-transport-security"]], ["nosniff", "no-referrer", "max-age=31536000"]);
    assert.match(headers["x-request-id"], /./);
    assert.equal(headers["access-control-allow-origin"], undefined);
    // Tags of nginx are made of time and size, in which the documents of two releases can be equal.
    assert.deepEqual([headers.etag, headers["last-modified"]], [undefined, undefined]);
    assert.equal((await call("GET", path, { headers: { "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" } })).status, 200);
  }
});

// The addresses of the files that the document loads.
const loaded = async () => [...(await call("GET", "/dashboard/")).text.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, address]) => address);
const typeOf = (path) => ({ js: "text/javascript", css: "text/css", svg: "image/svg+xml" })[path.split(".").at(-1)];

async function checkAsset(path, kept) {
  const { status, headers } = await call("GET", path);
  assert.deepEqual([status, headers["content-type"], headers["cache-control"]], [200, `${typeOf(path)}; charset=utf-8`, kept], path);
  assert.deepEqual([headers["x-content-type-options"], headers.vary, headers["content-encoding"]], ["nosniff", "Accept-Encoding", undefined]);
  assert.equal(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'");
  const again = await call("GET", path, { headers: { "If-None-Match": headers.etag } });
  assert.deepEqual([again.status, again.text], [304, ""]);
  const compressed = await call("GET", path, { headers: { "Accept-Encoding": "gzip" } });
  assert.deepEqual([compressed.status, compressed.headers["content-encoding"], compressed.headers["cache-control"]], [200, "gzip", kept], path);
  assert.ok(Number(compressed.headers["content-length"]) < Number(headers["content-length"]), "it was compressed before");
}

test("scripts and style sheet have a hash in their names, and browsers keep them for a year", async () => {
  const addresses = await loaded();
  assert.deepEqual(addresses.map((each) => each.replace(/-[0-9A-Z]{8}\./, "-HASH.")), ["early-HASH.js", "style-HASH.css", "chunk-HASH.js", "main-HASH.js"].map((each) => `/dashboard/assets/${each}`));
  for (const address of addresses) await checkAsset(address, "public, max-age=31536000, immutable");
});

test("what keeps its name is asked for again and not sent again", async () => {
  for (const name of ["notifier.js", "icon.svg"]) await checkAsset(`/dashboard/assets/${name}`, "public, max-age=0, must-revalidate");
});

test("what is not there is 404, and not for a year", async () => {
  for (const path of ["none.js", "main-AAAAAAAA.js", "style-AAAAAAAA.css", "main.js", "early.js", "theme.js", "pages/stock.js", "css/theme.css", "", "pages", "notifier.js.gz", "../index.html", "../none.css", "../index.html.gz"]) {
    const answer = await call("GET", `/dashboard/assets/${path}`);
    assert.deepEqual([answer.status, answer.text, answer.headers["content-type"], answer.headers["cache-control"]],
      [404, '{"error":"Not found"}', "application/json; charset=utf-8", undefined], path);
  }
});

test("the folder without its slash leads to it; only reading is allowed", async () => {
  const { status, headers } = await call("GET", "/dashboard");
  assert.deepEqual([status, headers.location], [301, "/dashboard/"]);
  for (const path of ["/dashboard/", "/dashboard/assets/notifier.js", (await loaded())[0]]) {
    for (const method of ["POST", "PUT", "DELETE", "TRACE"]) {
      const answer = await call(method, path);
      assert.deepEqual([answer.status, answer.headers.allow, answer.text], [405, "GET, HEAD, OPTIONS", '{"error":"Method not allowed"}'], `${method} ${path}`);
    }
    const head = await call("HEAD", path);
    assert.deepEqual([head.status, head.text], [200, ""]);
  }
});

test("what breaks the policy does not run", async ({ page, signIn, complaints }) => {
  await signIn(await makeDealer());
  const ran = await page.evaluate(async () => {
    const script = document.createElement("script");
    const tries = { html: () => (document.body.innerHTML = "<p>x"), text: () => (script.textContent = "window.ran = 1") };
    const threw = Object.entries(tries).filter(([, attempt]) => {
      try {
        attempt();
        return false;
      } catch {
        return true;
      }
    }).map(([name]) => name);
    const elsewhere = await fetch("https://example.com/").then(() => "sent", () => "refused");
    return { threw, elsewhere, ran: window.ran };
  });
  assert.deepEqual(ran, { threw: ["html", "text"], elsewhere: "refused", ran: undefined });
  // That is what the browser had to complain of; Firefox does not tell that by WebDriver BiDi.
  assert.equal(complaints.length > 0, !isFirefox);
  complaints.length = 0;
});

test("an unknown address shows the dashboard's own page", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  await signIn(dealer);
  for (const path of ["/dashboard/nowhere", "/dashboard/o/no-such-organisation/stock"]) {
    await page.goto(base + path);
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  }
});
