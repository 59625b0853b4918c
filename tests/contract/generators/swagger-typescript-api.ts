import { type Calls } from "./calls";
import { Api, type Failure, type HttpResponse } from "./generated/swagger-typescript-api";

const headers = (token: string | null): Record<string, string> => (token ? { Authorization: `Bearer ${token}` } : {});
const { api, setSecurityData, baseUrl } = new Api<string>({ securityWorker: (token) => ({ headers: headers(token) }) });
let given = "";

export const calls: Calls = {
  createToken: async (email, password) => (await api.createToken({ email, password })).data.data.token,
  use: (token) => setSecurityData((given = token)),
  getMe: async () => (await api.getMe()).data.data,
  getAccount: async () => (await api.getAccount()).data.data,
  createItem: async (reference, title) => (await api.createStockItem({ reference, title })).data.data,
  putItem: async (reference, title, attributes) => (await api.putStockItem(reference, { title, attributes })).data.data,
  getItem: async (id) => (await api.getStockItem(id)).data.data,
  changeItem: async (id, price, currency) => (await api.changeStockItem(id, { price, currency })).data.data,
  listItems: async (reference) => {
    const { total, stock } = (await api.listStock({ limit: 5, reference: [reference] })).data.data;
    return { total, items: stock };
  },
  getFacets: async () => (await api.getStockFacets({ fields: ["make", "status"] })).data.data.facets,
  // It writes a body as JSON, as a form or as plain text, so this one is sent without it.
  writeFeed: async (text) => (await fetch(`${baseUrl}/api/v1/stock/feed`, { method: "PUT", body: text, headers: { ...headers(given), "Content-Type": "application/x-ndjson" } })).json()
    .then((answer) => answer.data),
  readFeed: async () => (await api.getStockFeed()).text(),
  listJobs: async () => (await api.listJobs()).data.data.total,
  getMissing: async (id) => {
    const refusal: HttpResponse<unknown, Failure> = await api.getStockItem(id).then(() => { throw new Error("no refusal"); }, (error) => error);
    return [refusal.status, refusal.error.error];
  },
  deleteItem: async (id) => (await api.deleteStockItem(id)).data.data.deleted,
};
