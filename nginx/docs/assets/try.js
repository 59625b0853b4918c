// "Try it": sends an operation's example, as the reader changes it, to the service that serves this page. The token stays in the page: it is
// stored nowhere, and no cookie is sent.
let token = "";
let examples = null;
const tokens = new Set();

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const labelled = (id, label, field) => {
  field.id = id;
  return [element("label", { for: id }, label), field];
};

async function read() {
  const response = await fetch(new URL("../examples.json", import.meta.url));
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

function addressOf(example) {
  const path = example.path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(example.values[name]));
  const query = new URLSearchParams(example.query).toString();
  return query ? `${path}?${query}` : path;
}

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");

async function send(example, address, body) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== null) headers["Content-Type"] = example.mediaType;
  if (example.method === "POST") headers["Idempotency-Key"] = newKey();
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) throw new Error("the address is elsewhere");
  const response = await fetch(url, { method: example.method, headers, body: body ?? undefined, credentials: "omit", cache: "no-store" });
  const text = await response.text();
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // lines, or a text
  }
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return `${response.status} ${response.statusText}\n${lines.join("\n")}\n\n${shown.length > 20_000 ? `${shown.slice(0, 20_000)}\n…` : shown}`;
}

function build(place, id, example) {
  const address = element("input", { class: "form-control", type: "text", spellcheck: "false", autocomplete: "off" });
  address.value = addressOf(example);
  const secret = element("input", { class: "form-control", type: "password", autocomplete: "off", spellcheck: "false" });
  secret.value = token;
  tokens.add(secret);
  secret.addEventListener("input", () => {
    token = secret.value.trim();
    for (const other of tokens) if (other !== secret) other.value = secret.value;
  });
  const fields = [...labelled(`${id}-address`, `Address (${example.method})`, address), ...labelled(`${id}-token`, "Token, which stays in this page", secret)];
  let body = null;
  if (example.sent !== null) {
    body = element("textarea", { class: "form-control", rows: "8", spellcheck: "false" });
    body.value = example.sent;
    fields.push(...labelled(`${id}-body`, "Body", body));
  }
  const button = element("button", { type: "submit" }, `Send ${example.method}`);
  const output = element("pre", { tabindex: "0", role: "group", "aria-label": "Answer" });
  output.hidden = true;
  const form = element("form", { class: "try-form" }, ...fields, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      output.textContent = await send(example, address.value, body && body.value);
    } catch (error) {
      output.textContent = `No answer: ${error.message}`;
    }
    output.hidden = false;
    button.disabled = false;
  });
  place.replaceChildren(form, output);
}

export function offerTrials() {
  for (const place of document.querySelectorAll("details.try")) {
    place.addEventListener("toggle", async () => {
      if (!place.open || place.dataset.built) return;
      place.dataset.built = "yes";
      const inner = place.querySelector("div");
      try {
        examples ??= read();
        const id = place.dataset.operation;
        build(inner, id, (await examples)[id]);
      } catch {
        examples = null;
        delete place.dataset.built;
        inner.textContent = "The example cannot be loaded. Close this and open it again.";
      }
    });
  }
}
