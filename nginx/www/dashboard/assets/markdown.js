// Markdown as a document: headings, paragraphs, lists, quotations, code, rules. A preview of what readers of a job see.
import { h } from "./dom.js";
import { inline } from "./markdown_inline.js";

const item = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const begins = {
  fence: /^ {0,3}(```+|~~~+)/,
  heading: /^ {0,3}(#{1,6})(?: +(.*?))?(?: +#+)? *$/,
  rule: /^ {0,3}([-*_])( *\1){2,} *$/,
  quote: /^ {0,3}> ?(.*)$/,
  item,
};

let lowered = 0;  // how far headings go down

const beginsBlock = (line) => Object.values(begins).some((pattern) => pattern.test(line));

// Takes the block at the beginning of `lines` and returns its node. Removes its lines.
function block(lines, depth) {
  const first = lines[0];
  const fence = begins.fence.exec(first);
  if (fence) return code(lines, fence[1]);
  const heading = begins.heading.exec(first);
  if (heading) {
    lines.shift();
    return h(`h${Math.min(6, heading[1].length + lowered)}`, {}, inline(heading[2] ?? ""));
  }
  if (begins.rule.test(first)) {
    lines.shift();
    return h("hr");
  }
  if (depth < 8 && begins.quote.test(first)) return quotation(lines, depth);
  if (depth < 8 && item.test(first)) return list(lines, depth);
  return paragraph(lines);
}

function code(lines, fence) {
  lines.shift();
  const text = [];
  while (lines.length > 0) {
    const line = lines.shift();
    if (line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())) break;
    text.push(line);
  }
  return h("pre", { tabindex: "0" }, h("code", {}, text.join("\n")));
}

function quotation(lines, depth) {
  const inside = [];
  while (lines.length > 0 && begins.quote.test(lines[0])) inside.push(begins.quote.exec(lines.shift())[1]);
  return h("blockquote", {}, blocks(inside, depth + 1));
}

function list(lines, depth) {
  const [, , mark] = item.exec(lines[0]);
  const ordered = /\d/.test(mark);
  const items = [];
  while (lines.length > 0) {
    const found = item.exec(lines[0]);
    if (!found || /\d/.test(found[2]) !== ordered || begins.rule.test(lines[0])) break;
    lines.shift();
    const width = found[1].length + found[2].length + 1;
    const inside = [found[4]];
    // What is indented below an item, or goes on without a blank line, belongs to it.
    while (lines.length > 0) {
      const indent = /^ */.exec(lines[0])[0].length;
      const blank = lines[0].trim() === "";
      if (blank && !(lines[1] && /^ */.exec(lines[1])[0].length >= 2)) break;
      if (!blank && indent < 2 && (beginsBlock(lines[0]) || inside.at(-1).trim() === "")) break;
      inside.push(lines.shift().slice(Math.min(indent, width)));
    }
    while (lines.length > 1 && lines[0].trim() === "" && item.test(lines[1])) lines.shift();
    items.push(h("li", {}, blocks(inside, depth + 1, true)));
  }
  return h(ordered ? "ol" : "ul", { start: ordered && mark !== "1." ? String(Number.parseInt(mark, 10)) : null }, items);
}

function paragraph(lines) {
  const text = [lines.shift()];
  while (lines.length > 0 && lines[0].trim() !== "" && !beginsBlock(lines[0])) text.push(lines.shift());
  return h("p", {}, inline(text.join("\n").trim()));
}

// `tight`: a paragraph that comes first needs no <p>.
function blocks(lines, depth, tight = false) {
  const nodes = [];
  while (lines.length > 0) {
    if (lines[0].trim() === "") {
      lines.shift();
      continue;
    }
    const node = block(lines, depth);
    if (tight && nodes.length === 0 && node.tagName === "P") nodes.push(...node.childNodes);
    else nodes.push(node);
  }
  return nodes;
}

// The nodes of a text. Never HTML: a tag in the text is shown as it was typed.
export function markdown(text) {
  const lines = text.replaceAll("\t", "    ").split(/\r\n|\r|\n/);
  // The preview stands below an h2 of the form: the text's highest headings become h3.
  const levels = lines.map((line) => begins.heading.exec(line)?.[1].length).filter(Boolean);
  lowered = 3 - Math.min(...levels, 6);
  return blocks(lines, 0);
}
