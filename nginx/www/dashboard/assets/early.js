// Runs while the document is read, before the first paint: the colours, and the questions of the first page, whose answers are there when
// the modules are.
import "./theme.js";
import { askEarly } from "./early_requests.js";
import { reloadOnce } from "./reloading.js";

addEventListener("error", ({ target }) => target.matches?.("script, [rel=stylesheet]") && reloadOnce(), { capture: true });

askEarly();
