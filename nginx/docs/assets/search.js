// Searching the reference: all words must be in an entry; words of its title and address count most.
const most = 20;
let index = null;

const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

async function read() {
  const response = await fetch(new URL("../search.json", import.meta.url));
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()).map(([title, kind, address, more]) => ({ title, kind, address, head: fold(`${title} ${kind}`), all: fold(`${title} ${kind} ${more}`) }));
}

export function find(entries, text) {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const score = (entry) => words.reduce((sum, word) => sum + (new RegExp(`(^|[^a-z0-9])${RegExp.escape?.(word) ?? word.replace(/[^a-z0-9]/g, "\\$&")}`).test(entry.head) ? 10 : entry.head.includes(word) ? 4 : 1), 0);
  return entries
    .filter((entry) => words.every((word) => entry.all.includes(word)))
    .map((entry) => [score(entry), entry])
    .sort((a, b) => b[0] - a[0])
    .map(([, entry]) => entry);
}

export function search() {
  const form = document.getElementById("page-search");
  const input = document.getElementById("page-words");
  const results = document.getElementById("page-results");
  const list = document.getElementById("page-results-list");
  const state = document.getElementById("page-state");
  let turn = 0;
  form.classList.remove("needs-scripts");

  function show(found) {
    list.replaceChildren(...found.slice(0, most).map((entry) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = new URL(`../${entry.address}`, import.meta.url);
      const title = document.createElement("span");
      title.textContent = entry.title;
      const kind = document.createElement("small");
      kind.textContent = entry.kind;
      link.append(title, kind);
      item.append(link);
      return item;
    }));
    state.textContent = found.length === 0 ? "Nothing found" : found.length === 1 ? "1 entry" : found.length > most ? `The best ${most} of ${found.length} entries` : `${found.length} entries`;
  }

  async function update() {
    const mine = ++turn;
    const text = input.value.trim();
    results.hidden = !text;
    if (!text) return;
    try {
      index ??= read();
      const entries = await index;
      if (mine === turn) show(find(entries, text));
    } catch {
      index = null;
      list.replaceChildren();
      state.textContent = "The search cannot be loaded. Try again.";
    }
  }

  const close = () => (results.hidden = true);
  const links = () => [...list.querySelectorAll("a")];
  input.addEventListener("input", update);
  input.addEventListener("focus", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    links()[0]?.click();
  });
  form.addEventListener("keydown", (event) => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (event.key === "Escape") {
      close();
      input.focus();
      close();
    } else if (event.key === "ArrowDown" && all.length) {
      event.preventDefault();
      all[Math.min(at + 1, all.length - 1)].focus();
    } else if (event.key === "ArrowUp" && at >= 0) {
      event.preventDefault();
      (at === 0 ? input : all[at - 1]).focus();
    }
  });
  list.addEventListener("click", (event) => event.target.closest("a") && close());
  document.addEventListener("click", (event) => form.contains(event.target) || close());
  form.addEventListener("focusout", (event) => event.relatedTarget && !form.contains(event.relatedTarget) && close());
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
