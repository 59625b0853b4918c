// Making DOM nodes. Text only ever becomes text: nothing in the dashboard is parsed as HTML.

const properties = new Set(["value", "checked", "disabled", "hidden", "selected", "readOnly", "htmlFor", "type", "multiple", "open"]);

function append(node, child) {
  if (Array.isArray(child)) child.forEach((each) => append(node, each));
  else if (child !== null && child !== undefined && child !== false) node.append(child);
}

// A new element. `given` holds attributes and properties by name; on… functions become listeners, what is null or false is left
// out. Children are nodes, texts, lists of them, or null.
export function h(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (properties.has(name)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  append(node, children);
  return node;
}

// Resolves in a task of its own, so that a slow machine shows what is there, and answers, before it goes on.
export const turn = () => new Promise((go) => setTimeout(go));

// Resolves when the browser has painted the document as it is now, or after 200 ms, as a hidden tab paints nothing.
export const painted = () => new Promise((go) => {
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, 200);
});

// Returns a function to await between the steps of long work. It lets other tasks run when the work has taken 8 ms since the last pause.
export function pauses() {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < 8) return;
    await turn();
    began = performance.now();
  };
}

export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

// As replace(), and the focus stays on what has the same data-keep, or stands in it.
export function redraw(node, ...children) {
  const kept = node.contains(document.activeElement) && document.activeElement.closest("[data-keep]")?.dataset.keep;
  replace(node, ...children);
  if (kept) node.querySelector(`[data-keep="${kept}"]`)?.focus({ preventScroll: true });
}

// Moves the focus to `box`, before the button in it that was pressed is removed.
export function takeFocus(box) {
  box.tabIndex = -1;
  box.focus({ preventScroll: true });
}

// Moves what is current in a row of links into view, sideways alone.
export const showCurrent = (row) => requestAnimationFrame(() => {
  const current = row.querySelector("[aria-current]")?.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  if (current) row.scrollLeft += current.left + current.width / 2 - box.left - box.width / 2;
});

// Puts the focus where typing begins; not where a keyboard would cover half of the screen.
export function focusFirst(node) {
  if (!matchMedia("(pointer: coarse)").matches) node.querySelector("input:not([type=hidden], [type=checkbox], [type=file]), textarea")?.focus({ preventScroll: true });
}

let last = 0;
// An id that no other element has.
export const newId = (prefix) => `${prefix}-${++last}`;

const paths = {
  overview: "M4 20V10M10 20V4M16 20v-7M22 20H2",
  more: "M4 7h16M4 12h16M4 17h16",
  inbox: "M3 12h4l2 3h6l2-3h4M5 5h14l2 7v7H3v-7z",
  stock: "M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10",
  jobs: "M3 8h18v11H3zM9 8V5h6v3M3 13h18",
  events: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M8 14h3v3H8z",
  posts: "M4 4h13v16H6a2 2 0 0 1-2-2zM17 9h3v9a2 2 0 0 1-2 2M7 8h7M7 12h7M7 16h4",
  organisation: "M4 21V5l8-2v18M12 9h8v12M3 21h18M7 8h2M7 12h2M7 16h2M15 13h2M15 17h2",
  key: "M14 10a4 4 0 1 0-4 4c.7 0 1.3-.1 1.9-.4L14 16h2v2h2v2h3v-3l-7.3-7.3c.2-.5.3-1.1.300-1.7zM8.5 9.5h.01",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14A8.5 8.5 0 1 1 10 4a7 7 0 0 0 10 10z",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 3.5-6 8-6s8 2 8 6",
  picture: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M15 9h.01",
  left: "M15 6l-6 6 6 6",
  right: "M9 6l6 6-6 6",
  remove: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  check: "M5 12l5 5 9-11",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3",
  star: "M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7L12 17l-5.1 2.7 1-5.7-4.1-4 5.7-.8z",
  enlarge: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  eye: "M2 12c2.5-4.5 5.8-6.5 10-6.5s7.5 2 10 6.5c-2.5 4.5-5.8 6.5-10 6.5S4.5 16.5 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  mail: "M3 6h18v12H3zM3 7l9 7 9-7",
};

// A drawing of one line, which says nothing to screen readers: what stands beside it does.
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}
