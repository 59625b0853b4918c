// A chart of one number a week: columns that are links, and the same as a table.
import { h } from "./dom.js";
import { dateOf, many } from "./format.js";

const height = 100;
const svg = (tag, attributes, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};

// Stretched to the column's width and height.
function column(count, most) {
  const part = count === 0 ? 0 : Math.max(3, Math.round((count / most) * height));
  return svg("svg", { viewBox: `0 0 10 ${height}`, preserveAspectRatio: "none", class: "chart-column", "aria-hidden": "true" },
    svg("rect", { x: 1, width: 8, y: height - part, height: part }));
}

const withoutYear = (date) => date.slice(0, -5);

// `weeks`: [{from (a Monday), count}]; `addressOf(from)` of the list that is counted; `noun`: one, and more.
export function weeksChart(title, weeks, addressOf, noun) {
  const most = Math.max(1, ...weeks.map(({ count }) => count));
  const name = (from) => `Week of ${dateOf(from)}`;
  return h("figure", { class: "chart" },
    h("figcaption", {}, title),
    h("ol", { class: "chart-weeks" }, weeks.map(({ from, count }) => h("li", {},
      h("a", { class: "chart-week", href: addressOf(from), "aria-label": `${name(from)}: ${many(count, ...noun)}` },
        h("span", { class: "chart-count" }, String(count)), column(count, most),
        h("span", { class: "chart-day" }, withoutYear(dateOf(from))))))),
    h("details", {}, h("summary", {}, "Show as table"),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Week"), h("th", { scope: "col" }, noun[1].charAt(0).toUpperCase() + noun[1].slice(1)))),
        h("tbody", {}, weeks.map(({ from, count }) => h("tr", {}, h("th", { scope: "row" }, name(from)), h("td", {}, String(count))))))));
}
