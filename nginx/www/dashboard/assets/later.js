// Loads the pages of seldom.js.
import { Failure } from "./api.js";
import { unreachablePage } from "./pages/nothing.js";
import { reloadOnce } from "./reloading.js";

// The page of that name, as a promise.
export const later = (name) => async (place) => {
  let pages;
  try {
    pages = await import("./seldom.js");
  } catch {
    return reloadOnce() ? null : unreachablePage(new Failure(0, ""), () => location.reload());
  }
  return pages[name](place);
};
