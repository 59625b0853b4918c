// Runs while the document is read, before the first paint: sets the colours, asks what the first page will ask, so that the answers are there
// when the modules are, and loads the browser's data of currencies.
import "./theme.js";
import { askEarly } from "./early_requests.js";
import { reloadOnce } from "./reloading.js";

addEventListener("error", ({ target }) => target.matches?.("script, [rel=stylesheet]") && reloadOnce(), { capture: true });

askEarly();

// The first price takes 100 ms on a slow machine, which has nothing else to do while the style sheet and the modules are on their way.
setTimeout(() => new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" }).format(0));
