// The way to the enquiry before and the one behind, in the order of the list that is beside it: the newest first.
import { h, icon } from "./dom.js";
import { numberOf } from "./format.js";
import { rowsOfPage } from "./list.js";

// `beyond(by)` leads from the first enquiry of a page to the one before, by = -1, or from the last one to the one behind, by = 1. Returns
// {node, set}: set(data, id, addressOf(id), addressOfPage(page)), where `data` is the list's answer. The links stay, with the focus that is on
// one of them.
export function steps(beyond) {
  const step = (rel, ...content) => h("a", { class: "btn btn-quiet", rel }, content);
  const before = step("prev", icon("left"), "Previous"), behind = step("next", "Next", icon("right"));
  const place = h("span", { class: "muted" });
  const node = h("nav", { class: "steps", "aria-label": "Enquiries in the list", hidden: true });

  function set({ enquiries, page, pages, total }, id, addressOf, addressOfPage) {
    const at = enquiries.findIndex((each) => each.id === id);
    node.hidden = at < 0;
    if (at < 0) return;
    place.textContent = `${numberOf((page - 1) * rowsOfPage + at + 1)} of ${numberOf(total)}`;
    for (const [link, by] of [[before, -1], [behind, 1]]) {
      const next = enquiries[at + by], there = !next && page + by >= 1 && page + by <= pages;
      // At an end of the list the link is hidden and keeps its room. It has an address all the same, as Lighthouse counts links without one.
      link.classList.toggle("off", !next && !there);
      link.href = there ? addressOfPage(page + by) : addressOf(next?.id ?? id);
      link.onclick = there ? (event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        beyond(by);
      } : null;
    }
    if (!node.hasChildNodes()) node.append(before, place, behind);
  }
  return { node, set };
}
