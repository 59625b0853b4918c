// A dealer with stock, made by the API.
import { ask, makeDealer, tokenOf, upload } from "./testing.mjs";
import { drawPicture } from "./visit.mjs";

// Items 1 to `count`: every second is a draft, every third reserved; the first has `pictures`. item() asks for it.
export async function withStock(count, { pictures = 0, page } = {}) {
  const dealer = await makeDealer();
  const token = await tokenOf(dealer);
  const images = [];
  for (let i = 0; i < pictures; i++)
    images.push({ uploadId: (await upload(token, dealer.organisation, (await drawPicture(page, { hue: i * 90, text: String(i + 1) })).buffer)).id });
  const items = [];
  for (let i = 1; i <= count; i++) {
    items.push(await ask("POST", "/api/v1/stock", { token, body: { reference: `R-${i}`, title: `Item ${i}`, price: 1000 * i, currency: "GBP", images: i === 1 ? images : [],
      status: i % 2 ? "PUBLISHED" : "DRAFT", availability: i % 3 ? "IN_STOCK" : "RESERVED" } }));
  }
  const item = () => ask("GET", `/api/v1/stock/${items[0].id}`, { token });
  return { dealer, token, items, item };
}
