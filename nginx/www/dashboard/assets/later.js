// Loads the pages of seldom.js.
import { Failure, told } from "./api.js";
import { warn } from "./messages.js";
import { unreachablePage } from "./pages/nothing.js";
import { reloadOnce } from "./reloading.js";

// Whether the document can be had again: else loading it would end in the browser's own page, and the application be gone.
const reachable = () => fetch(location.href, { cache: "no-cache", redirect: "error" }).then(({ ok }) => ok, () => false);

// The page of that name, as a promise.
export const later = (name) => async (place) => {
  let pages;
  try {
    pages = await import("./seldom.js");
  } catch {
    if ((await reachable()) && reloadOnce()) return null;
    const failure = new Failure(0, "");
    return unreachablePage(failure, async () => ((await reachable()) ? location.reload() : warn(told(failure))));
  }
  return pages[name](place);
};
