import createClient from "openapi-fetch";
import { type Calls, there } from "./calls";
import type { paths } from "./generated/openapi-typescript";

const client = createClient<paths>({ baseUrl: process.env.BASE });
client.use({
  onRequest({ request }) {
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
    return request;
  },
});
let token = "";
const lines = { bodySerializer: (body: unknown) => body as string, headers: { "Content-Type": "application/x-ndjson" } };

export const calls: Calls = {
  createToken: async (email, password) => there((await client.POST("/api/v1/auth", { body: { email, password } })).data).data.token,
  use: (given) => void (token = given),
  getMe: async () => there((await client.GET("/api/v1/me")).data).data,
  getAccount: async () => there((await client.GET("/api/v1/accounts")).data).data,
  createItem: async (reference, title) => there((await client.POST("/api/v1/stock", { body: { reference, title } })).data).data,
  putItem: async (reference, title, attributes) => there((await client.PUT("/api/v1/stock/by-reference/{reference}", {
    params: { path: { reference } }, body: { title, attributes } })).data).data,
  getItem: async (id) => there((await client.GET("/api/v1/stock/{id}", { params: { path: { id } } })).data).data,
  changeItem: async (id, price, currency) => there((await client.PATCH("/api/v1/stock/{id}", { params: { path: { id } }, body: { price, currency } })).data).data,
  listItems: async (reference) => {
    const { total, stock } = there((await client.GET("/api/v1/stock", { params: { query: { limit: 5, reference: [reference] } } })).data).data;
    return { total, items: stock };
  },
  getFacets: async () => there((await client.GET("/api/v1/stock/facets", { params: { query: { fields: ["make", "status"] } } })).data).data.facets,
  writeFeed: async (text) => there((await client.PUT("/api/v1/stock/feed", { body: text, ...lines })).data).data,
  readFeed: async () => there((await client.GET("/api/v1/stock/feed", { parseAs: "text" })).data),
  listJobs: async () => there((await client.GET("/api/v1/jobs")).data).data.total,
  getMissing: async (id) => {
    const { error, response } = await client.GET("/api/v1/stock/{id}", { params: { path: { id } } });
    return [response.status, there(error).error];
  },
  deleteItem: async (id) => there((await client.DELETE("/api/v1/stock/{id}", { params: { path: { id } } })).data).data.deleted,
};
