// Markdown within a line: `code`, **strong**, *emphasis*, [text](address), and addresses by themselves. Makes nodes out of text, so
// that nothing which is written can become markup of its own.
import { h } from "./dom.js";

// Addresses that are safe to follow; what else a link names (javascript:, data:) stays text.
function safeAddress(text) {
  if (!/^(https?:\/\/|mailto:)/i.test(text)) return null;
  try {
    return new URL(text).href;
  } catch {
    return null;
  }
}

const link = (address, content) => h("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank" }, content);

// Tried in this order at every place; a rule returns a node, or null when it does not fit after all.
const rules = [
  [/^\\([\\`*_{}[\]()#+\-.!<>~|])/, (found) => found[1]],
  [/^(`+)([^]*?[^`])\1(?!`)/, (found) => h("code", {}, found[2].trim())],
  [/^!?\[([^[\]]*)\]\(\s*<?([^\s<>()]*)>?(?:\s+"[^"]*")?\s*\)/, (found, depth) => {
    const address = safeAddress(found[2]);
    return address && link(address, inline(found[1], depth + 1));
  }],
  [/^<(https?:\/\/[^\s<>]+|mailto:[^\s<>]+)>/i, (found) => safeAddress(found[1]) && link(safeAddress(found[1]), found[1])],
  [/^https?:\/\/[^\s<>()]*[^\s<>().,;:!?'"]/i, (found) => safeAddress(found[0]) && link(safeAddress(found[0]), found[0])],
  [/^(\*\*|__)(?=\S)([^]*?\S)\1/, (found, depth) => h("strong", {}, inline(found[2], depth + 1))],
  [/^(\*|_)(?=\S)([^]*?[^\s*_])\1(?![\w*])/, (found, depth) => h("em", {}, inline(found[2], depth + 1))],
  [/^~~(?=\S)([^]*?\S)~~/, (found, depth) => h("del", {}, inline(found[1], depth + 1))],
  [/^(?: {2,}|\\)\n/, () => h("br")],
];

// The nodes of a piece of text. Deeper than a few levels it is taken as it stands.
export function inline(text, depth = 0) {
  if (depth > 6) return [text];
  const nodes = [];
  let plain = "";
  const flush = () => {
    if (plain) nodes.push(plain);
    plain = "";
  };
  for (let at = 0; at < text.length;) {
    // Most characters begin nothing.
    const rest = /[\\`!<*_~hH[ ]/.test(text[at]) ? text.slice(at, at + 5000) : null;
    const word = /\w$/.test(plain);
    let step = 0;
    for (const [pattern, make] of rest ? rules : []) {
      const found = pattern.exec(rest);
      // An underscore or an address within a word is part of it.
      if (!found || (word && /^[_hH]/.test(found[0]))) continue;
      const node = make(found, depth);
      if (node === null) continue;
      flush();
      nodes.push(node);
      step = found[0].length;
      break;
    }
    if (step === 0) plain += text[at];
    at += step || 1;
  }
  flush();
  return nodes;
}
