import { type Calls, there } from "./calls";
import * as api from "./generated/hey-api";
import { client } from "./generated/hey-api/client.gen";

// By itself it takes lines for JSON.
const lines = { bodySerializer: (body: unknown) => body as string };

export const calls: Calls = {
  createToken: async (email, password) => there((await api.createToken({ body: { email, password } })).data).data.token,
  use: (token) => void client.setConfig({ auth: token }),
  getMe: async () => there((await api.getMe()).data).data,
  getAccount: async () => there((await api.getAccount()).data).data,
  createItem: async (reference, title) => there((await api.createStockItem({ body: { reference, title } })).data).data,
  putItem: async (reference, title, attributes) => there((await api.putStockItem({ path: { reference }, body: { title, attributes } })).data).data,
  getItem: async (id) => there((await api.getStockItem({ path: { id } })).data).data,
  changeItem: async (id, price, currency) => there((await api.changeStockItem({ path: { id }, body: { price, currency } })).data).data,
  listItems: async (reference) => {
    const { total, stock } = there((await api.listStock({ query: { limit: 5, reference: [reference] } })).data).data;
    return { total, items: stock };
  },
  getFacets: async () => there((await api.getStockFacets({ query: { fields: ["make", "status"] } })).data).data.facets,
  writeFeed: async (text) => there((await api.putStockFeed({ body: new Blob([text]), ...lines })).data).data,
  readFeed: async () => there((await api.getStockFeed({ parseAs: "blob" })).data).text(),
  listJobs: async () => there((await api.listJobs()).data).data.total,
  getMissing: async (id) => {
    const { error, response } = await api.getStockItem({ path: { id } });
    return [response.status, there(error).error];
  },
  deleteItem: async (id) => there((await api.deleteStockItem({ path: { id } })).data).data.deleted,
};
