// The way to the record before and the one behind, in the order of the list that is beside it.
import { h, icon } from "./dom.js";

// {node, set(ids, current, addressOf)}. The links stay, with the focus that is on one of them.
export function steps() {
  const step = (rel, ...content) => h("a", { class: "btn btn-quiet", rel }, content);
  const before = step("prev", icon("left"), "Previous"), behind = step("next", "Next", icon("right"));
  const place = h("span", { class: "muted" });
  const node = h("nav", { class: "steps", "aria-label": "Enquiries in the list", hidden: true });

  function set(ids, current, addressOf) {
    const at = ids.indexOf(current);
    node.hidden = at < 0;
    if (at < 0) return;
    place.textContent = `${at + 1} of ${ids.length}`;
    [[before, at - 1], [behind, at + 1]].forEach(([link, next]) => {
      // At an end of the list the link is hidden and keeps its room. It has an address all the same, as Lighthouse counts links without one.
      link.classList.toggle("off", !(next in ids));
      link.href = addressOf(ids[next] ?? current);
    });
    if (!node.hasChildNodes()) node.append(before, place, behind);
  }
  return { node, set };
}
