// A document that names files of before an upgrade has to be loaded again. Not one that was just loaded again: then that is not why.
// True when it is.
export function reloadOnce() {
  if (performance.getEntriesByType("navigation")[0]?.type === "reload") return false;
  location.reload();
  return true;
}
