import { type Calls } from "./calls";
import * as api from "./generated/orval";

let init: RequestInit = {};


export const calls: Calls = {
  createToken: async (email, password) => {
    const answer = await api.createToken({ email, password });
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data.token;
  },
  use: (token) => void (init = { headers: { Authorization: `Bearer ${token}` } }),
  getMe: async () => {
    const answer = await api.getMe(init);
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data;
  },
  getAccount: async () => {
    const answer = await api.getAccount(undefined, init);
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data;
  },
  createItem: async (reference, title) => {
    const answer = await api.createStockItem({ reference, title }, init);
    if (answer.status !== 201) throw new Error(String(answer.status));
    return answer.data.data;
  },
  putItem: async (reference, title, attributes) => {
    const answer = await api.putStockItem(reference, { title, attributes }, init);
    if (answer.status !== 200 && answer.status !== 201) throw new Error(String(answer.status));
    return answer.data.data;
  },
  getItem: async (id) => {
    const answer = await api.getStockItem(id, init);
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data;
  },
  changeItem: async (id, price, currency) => {
    const answer = await api.changeStockItem(id, { price, currency }, init);
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data;
  },
  listItems: async (reference) => {
    const answer = await api.listStock({ limit: 5, reference: [reference] }, init);
    if (answer.status !== 200) throw new Error(String(answer.status));
    return { total: answer.data.data.total, items: answer.data.data.stock };
  },
  getFacets: async () => {
    const answer = await api.getStockFacets({ fields: ["make", "status"] }, init);
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data.facets;
  },
  // It writes every body whose type has "json" in its name as JSON, so this one is sent without it.
  writeFeed: async (text) => (await fetch(api.getPutStockFeedUrl(), { method: "PUT", body: text, headers: { ...init.headers, "Content-Type": "application/x-ndjson" } })).json()
    .then((answer) => answer.data),
  readFeed: async () => (await fetch(api.getGetStockFeedUrl(), init)).text(),
  listJobs: async () => {
    const answer = await api.listJobs();
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data.total;
  },
  getMissing: async (id) => {
    const answer = await api.getStockItem(id, init);
    if (answer.status !== 404) throw new Error(String(answer.status));
    return [answer.status, answer.data.error];
  },
  deleteItem: async (id) => {
    const answer = await api.deleteStockItem(id, init);
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer.data.data.deleted;
  },
};
