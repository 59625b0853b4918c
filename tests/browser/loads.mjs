// What loading a page takes: requests that reached the server, their bytes with headers, and when the page was there.

// Loads the address and waits until an element fits `settled` and the network has been quiet. `devtools` is a CDP session of the page with
// its network domain enabled.
export async function loadOf(page, devtools, address, settled) {
  const sent = new Map();  // by the browser's id of the request: {url, bytes, headers, status}
  const open = new Set();
  let changed = Date.now();
  const listen = {
    "Network.requestWillBeSent": ({ requestId, request }) => {
      if (!request.url.startsWith("http")) return;
      sent.set(requestId, { url: request.url, bytes: 0 });
      open.add(requestId);
      changed = Date.now();
    },
    "Network.responseReceived": ({ requestId, response }) => {
      if (response.fromDiskCache) sent.delete(requestId);
      else if (sent.has(requestId)) Object.assign(sent.get(requestId), { status: response.status, headers: response.headers });
    },
    "Network.requestServedFromCache": ({ requestId }) => sent.delete(requestId),
    "Network.loadingFinished": ({ requestId, encodedDataLength }) => {
      if (sent.has(requestId)) sent.get(requestId).bytes = encodedDataLength;
      open.delete(requestId);
      changed = Date.now();
    },
    "Network.loadingFailed": ({ requestId }) => {
      open.delete(requestId);
      changed = Date.now();
    },
  };
  for (const [event, listener] of Object.entries(listen)) devtools.on(event, listener);
  await page.goto(address, { waitUntil: "commit" });
  const shown = await (await page.waitForFunction((selector) => document.querySelector(selector)?.checkVisibility() && performance.now(), settled)).jsonValue();
  while (open.size > 0 || Date.now() - changed < 1000) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const [event, listener] of Object.entries(listen)) devtools.off(event, listener);
  const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  const all = [...sent.values()];
  return { all, requests: all.length, bytes: all.reduce((sum, each) => sum + each.bytes, 0), painted, shown };
}
