// Runs while the document is read, before the first paint: the colours, the questions of the first page, whose answers are there when the
// modules are, and what takes long once.
import "./theme.js";
import { askEarly } from "./early_requests.js";
import { reloadOnce } from "./reloading.js";

addEventListener("error", ({ target }) => target.matches?.("script, [rel=stylesheet]") && reloadOnce(), { capture: true });

askEarly();

// A slow machine takes 100 ms for the first price; now it waits for the style sheet and the modules anyway.
setTimeout(() => new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" }).format(0));
