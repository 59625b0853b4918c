// A document that names files of before an upgrade has to be loaded again. Not one that was just loaded again: then that is not why.
// True when it is.
export function reloadOnce() {
  if (performance.getEntriesByType("navigation")[0]?.type === "reload") return false;
  location.reload();
  return true;
}

const address = location.href;  // before the first page goes on to another
let touched = false;
for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => (touched = true), { capture: true, once: true });

// Browsers keep a document for a week, so that a page begins with what it asks the service for. This has the browser renew its copy of this
// one, where it came from there, and loads the page again when there was an upgrade and nobody has touched the page yet.
export async function renewDocument() {
  if (performance.getEntriesByType("navigation")[0]?.transferSize !== 0) return;
  const answer = await fetch(address, { cache: "no-cache", redirect: "error", priority: "low" });
  const text = answer.ok ? await answer.text() : null;
  const files = Array.from(document.querySelectorAll("script[src], link[rel=stylesheet]"), (each) => each.getAttribute("src") ?? each.getAttribute("href"));
  if (text && !files.every((file) => text.includes(file)) && !touched) reloadOnce();
}
