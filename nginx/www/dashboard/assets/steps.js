// The way to the record before and the one behind, in the order of the list that is beside it.
import { h, icon } from "./dom.js";

// {node, set(ids, current, addressOf)}. The links stay, with the focus that is on one of them.
export function steps() {
  const step = (rel, ...content) => h("a", { class: "btn btn-quiet", rel }, content);
  const before = step("prev", icon("left"), "Previous"), behind = step("next", "Next", icon("right"));
  const place = h("span", { class: "muted" });
  const node = h("nav", { class: "steps", "aria-label": "Enquiries in the list" }, before, place, behind);

  function point(link, address) {
    link.classList.toggle("off", !address);
    if (address) link.href = address;
    else link.removeAttribute("href");
  }

  function set(ids, current, addressOf) {
    const at = ids.indexOf(current);
    node.hidden = at < 0;
    if (at < 0) return;
    place.textContent = `${at + 1} of ${ids.length}`;
    point(before, at > 0 ? addressOf(ids[at - 1]) : null);
    point(behind, at + 1 < ids.length ? addressOf(ids[at + 1]) : null);
  }
  return { node, set };
}
