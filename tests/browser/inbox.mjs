// An organisation that people have written to.
import { ask, makeDealer, makeUser, tokenOf } from "./testing.mjs";

export async function withMail() {
  const dealer = await makeDealer();
  const [token, buyer] = [await tokenOf(dealer), await tokenOf(await makeUser("Sam Solo"))];
  const send = (name, message = "Is it still there?") =>
    ask("POST", "/api/v1/enquiries", { token: buyer, body: { organisationId: dealer.organisation.id, name, email: "sam@example.com", message } });
  const read = (id) => ask("GET", `/api/v1/enquiries/${id}`, { token });
  return { dealer, token, send, read };
}

// An inbox with these messages, the last one sent first in the list.
export async function withInbox(...names) {
  const all = await withMail();
  const sent = {};
  for (const name of names) sent[name] = (await all.send(name, `This is ${name}.`)).id;
  return { ...all, sent };
}

export const letter = (page, name) => page.locator(".letter").getByText(`This is ${name}.`).waitFor();
