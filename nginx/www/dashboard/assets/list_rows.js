// The rows of a list. What stays in its place is not taken out, with the focus that is on it and what is typed in it.
import { h, redraw } from "./dom.js";
import { noteChange } from "./list_memory.js";

// row(item, saved) → nodes; saved(item) tells how it is after it was changed: then changed(draw) has to call draw(). Returns {node, show(items)}.
export function listRows(row, changed) {
  const list = h("ul", { class: "rows" });
  const shown = new Map();  // by id: {node, text (its item, as JSON)}

  function draw(item) {
    const text = JSON.stringify(item), { node, text: before } = shown.get(item.id);
    if (text === before) return;
    shown.set(item.id, { node, text });
    const had = node.contains(document.activeElement);
    const typing = node.querySelector("[data-typing]"), focused = typing?.contains(document.activeElement) && document.activeElement;
    redraw(node, row(item, saved));
    if (typing) node.querySelector(`.${typing.className}`)?.replaceWith(typing);
    if (focused) focused.focus({ preventScroll: true });
    else if (had && !node.contains(document.activeElement)) node.querySelector(".row-link")?.focus({ preventScroll: true });
  }

  function saved(item) {
    noteChange(item);
    changed(() => shown.has(item.id) && draw(item));
  }

  function show(items) {
    const ids = new Set(items.map(({ id }) => id));
    for (const [id, { node }] of shown) {
      if (ids.has(id)) continue;
      node.remove();
      shown.delete(id);
    }
    items.forEach((item, i) => {
      if (!shown.has(item.id)) shown.set(item.id, { node: h("li", { class: "row-item" }) });
      draw(item);
      const { node } = shown.get(item.id);
      if (list.children[i] !== node) list.insertBefore(node, list.children[i] ?? null);
    });
  }

  return { node: list, show };
}
