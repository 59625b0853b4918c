// Loading a page again after an upgrade.
let prepare = () => {};

// `task` runs before the page is loaded again.
export const beforeReload = (task) => (prepare = task);

// A document that names files of before an upgrade has to be loaded again. Not one that was just loaded again: then that is not why.
// True when it is.
export function reloadOnce() {
  if (performance.getEntriesByType("navigation")[0]?.type === "reload") return false;
  prepare();
  location.reload();
  return true;
}
