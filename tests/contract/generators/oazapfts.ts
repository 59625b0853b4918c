import { HttpError, ok } from "@oazapfts/runtime";
import { type Calls } from "./calls";
import * as api from "./generated/oazapfts";

let token = "";
const headers = () => ({ Authorization: `Bearer ${token}` });

export const calls: Calls = {
  createToken: async (email, password) => (await ok(api.createToken({ email, password }))).data.token,
  use: (given) => {
    token = given;
    api.defaults.headers = headers();
  },
  getMe: async () => (await ok(api.getMe())).data,
  getAccount: async () => (await ok(api.getAccount())).data,
  createItem: async (reference, title) => (await ok(api.createStockItem({ reference, title }))).data,
  putItem: async (reference, title, attributes) => {
    const answer = await api.putStockItem(reference, { title, attributes });
    if (answer.status !== 200 && answer.status !== 201) throw new Error(String(answer.status));
    return answer.data.data;
  },
  getItem: async (id) => (await ok(api.getStockItem(id))).data,
  changeItem: async (id, price, currency) => (await ok(api.changeStockItem(id, { price, currency }))).data,
  listItems: async (reference) => {
    const { total, stock } = (await ok(api.listStock({ limit: 5, reference: [reference] }))).data;
    return { total, items: stock };
  },
  getFacets: async () => (await ok(api.getStockFacets(["make", "status"]))).data.facets,
  writeFeed: async (text) => (await ok(api.putStockFeed(new Blob([text], { type: "application/x-ndjson" })))).data,
  // It parses every answer whose type has "json" in its name, so this one is read without it.
  readFeed: async () => (await fetch(`${api.defaults.baseUrl}/api/v1/stock/feed`, { headers: headers() })).text(),
  listJobs: async () => (await ok(api.listJobs())).data.total,
  getMissing: async (id) => {
    try {
      await ok(api.getStockItem(id));
    } catch (error) {
      if (error instanceof HttpError) return [error.status, error.data.error];
    }
    throw new Error("no refusal");
  },
  deleteItem: async (id) => (await ok(api.deleteStockItem(id))).data.deleted,
};
