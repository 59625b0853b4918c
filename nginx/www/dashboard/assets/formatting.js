// Buttons over a Markdown field for who does not know Markdown, and a short help.
import { h } from "./dom.js";

const sample = [
  ["**bold**", "bold"], ["_italic_", "italic"], ["## Heading", "a heading"], ["- one thing", "a list"], ["1. first", "a numbered list"],
  ["[text](https://www.example.com)", "a link"], ["> said by somebody", "a quotation"],
];

// Replaces the text from `start` to `end` as if it had been typed, so that the browser can undo it, and selects from `from` to `to`.
function type(input, start, end, text, from, to) {
  input.focus();
  input.setSelectionRange(start, end);
  if (!document.execCommand("insertText", false, text)) {
    input.setRangeText(text, start, end);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  input.setSelectionRange(from, to);
}

// Puts marks around what is selected, or takes them away.
const around = (before, after, word) => (input) => {
  const { selectionStart: start, selectionEnd: end, value } = input;
  const text = value.slice(start, end);
  const marked = value.slice(start - before.length, start) === before && value.slice(end, end + after.length) === after;
  if (marked) return type(input, start - before.length, end + after.length, text, start - before.length, end - before.length);
  const inner = text || word;
  type(input, start, end, before + inner + after, start + before.length, start + before.length + inner.length);
};

// Puts a mark before each line that is selected, or takes it away where all have it.
const lines = (mark) => (input) => {
  const { value } = input;
  const start = value.lastIndexOf("\n", input.selectionStart - 1) + 1;
  const next = value.indexOf("\n", input.selectionEnd);
  const end = next < 0 ? value.length : next;
  const all = value.slice(start, end).split("\n");
  const marked = all.every((line) => line.startsWith(mark));
  const text = all.map((line) => (marked ? line.slice(mark.length) : mark + line)).join("\n");
  type(input, start, end, text, start, start + text.length);
};

const tools = [
  ["B", "Bold", around("**", "**", "bold"), "b"],
  ["I", "Italic", around("_", "_", "italic"), "i"],
  ["H", "Heading", lines("## ")],
  ["• List", "List", lines("- ")],
  ["1. List", "Numbered list", lines("1. ")],
  ["Link", "Link", around("[", "](https://)", "text")],
];

// The toolbar of a field made by textField with rows: one stop for the Tab key, arrows inside, as toolbars have it.
export function formattingBar(field) {
  const { input } = field;
  const buttons = tools.map(([text, name, act], i) => h("button", { type: "button", class: `tool tool-${name.toLowerCase().replace(" ", "-")}`, "aria-label": name, title: name,
    tabindex: i === 0 ? "0" : "-1", onclick: () => act(input) }, text));
  const bar = h("div", { class: "tools", role: "toolbar", "aria-label": "Formatting" }, buttons);
  bar.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || !buttons[to]) return;
    event.preventDefault();
    buttons.forEach((each, i) => (each.tabIndex = i === to ? 0 : -1));
    buttons[to].focus();
  });
  input.addEventListener("keydown", (event) => {
    const tool = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && tools.find(([, , , key]) => key === event.key);
    if (!tool) return;
    event.preventDefault();
    tool[2](input);
  });
  return bar;
}

export const formattingHelp = () =>
  h("details", { class: "formatting-help" }, h("summary", {}, "How to format"),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "You write"), h("th", { scope: "col" }, "It becomes"))),
      h("tbody", {}, sample.map(([text, name]) => h("tr", {}, h("td", {}, h("code", {}, text)), h("td", {}, name))))));
