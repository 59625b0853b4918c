// The browser's copy of the document. It is kept for a week, so that a page need not wait for the document before it asks for its data.
import { reloadOnce } from "./reloading.js";

const address = location.href;  // before the first page goes on to another
const patience = 10_000;  // in milliseconds: later somebody may be reading
let used = false;
for (const type of ["pointerdown", "keydown", "wheel", "scroll"]) addEventListener(type, () => (used = true), { capture: true, once: true });

// Asks for the document again, which renews the browser's copy of it. When it names other files now, after an upgrade, the page is loaded
// again, unless somebody uses it already. Does nothing when the document has just come from the service.
export async function renewDocument() {
  if (performance.getEntriesByType("navigation")[0]?.transferSize !== 0) return;
  const answer = await fetch(address, { cache: "no-cache", redirect: "error", priority: "low" });
  const text = answer.ok ? await answer.text() : null;
  const files = Array.from(document.querySelectorAll("script[src], link[rel=stylesheet]"), (each) => each.getAttribute("src") ?? each.getAttribute("href"));
  if (text && !files.every((file) => text.includes(file)) && !used && performance.now() < patience) reloadOnce();
}
