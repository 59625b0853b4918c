// What nginx says about the dashboard's files.
import assert from "node:assert/strict";
import { base, call, makeDealer, test } from "./testing.mjs";

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types notifier";

test("the document is for every page, kept by nobody, and under a strict policy", async () => {
  for (const path of ["/dashboard/", "/dashboard/sign-in", "/dashboard/o/ashford-motors/stock", "/dashboard/settings/tokens?x=1"]) {
    const { status, headers, text } = await call("GET", path);
    assert.equal(status, 200, path);
    assert.match(text, /^<!doctype html>/);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(headers["content-security-policy"], policy);
    assert.equal(headers["cache-control"], "no-store");
    assert.deepEqual([headers["x-content-type-options"], headers["referrer-policy"], headers["strict-transport-security"]], ["nosniff", "no-referrer", "max-age=31536000"]);
    assert.match(headers["x-request-id"], /./);
    assert.equal(headers["access-control-allow-origin"], undefined);
  }
});

test("assets are asked for again and not sent again; what is not there is 404", async () => {
  for (const [path, type] of [["main.js", "text/javascript"], ["theme.js", "text/javascript"], ["pages/stock.js", "text/javascript"], ["css/theme.css", "text/css"], ["bootstrap.min.css", "text/css"], ["icon.svg", "image/svg+xml"]]) {
    const { status, headers } = await call("GET", `/dashboard/assets/${path}`);
    assert.deepEqual([status, headers["content-type"], headers["cache-control"]], [200, `${type}; charset=utf-8`, "public, max-age=0, must-revalidate"], path);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'");
    const again = await call("GET", `/dashboard/assets/${path}`, { headers: { "If-None-Match": headers.etag } });
    assert.deepEqual([again.status, again.text], [304, ""]);
  }
  for (const path of ["/dashboard/assets/none.js", "/dashboard/assets/", "/dashboard/assets/pages", "/dashboard/none.css", "/dashboard/index.html", "/dashboard/assets/../index.html"]) {
    const answer = await call("GET", path);
    assert.deepEqual([answer.status, answer.text, answer.headers["content-type"]], [404, '{"error":"Not found"}', "application/json; charset=utf-8"], path);
  }
  const zipped = await call("GET", "/dashboard/assets/bootstrap.min.css", { headers: { "Accept-Encoding": "gzip" } });
  assert.equal(zipped.headers["content-encoding"], "gzip");
});

test("the folder without its slash leads to it; only reading is allowed", async () => {
  const { status, headers } = await call("GET", "/dashboard");
  assert.deepEqual([status, headers.location], [301, "/dashboard/"]);
  for (const path of ["/dashboard/", "/dashboard/assets/main.js"]) {
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
  // That is what the browser had to complain of.
  assert.ok(complaints.length > 0);
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
