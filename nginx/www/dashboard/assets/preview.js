// A Markdown field: two tabs over it, what is written and how it will look, with buttons that format and a short help.
import { h, newId, replace } from "./dom.js";
import { formattingBar, formattingHelp } from "./formatting.js";
import { markdown } from "./markdown.js";

// Adds all that to a field made by textField with rows.
export function withPreview(field) {
  const shown = h("div", { class: "markdown", role: "tabpanel", id: newId("preview"), tabindex: "0", hidden: true });
  const written = field.node.querySelector(".field-input");
  written.id = newId("written");
  const tab = (text, panel) => h("button", { type: "button", role: "tab", id: newId("tab"), class: "tab", "aria-controls": panel.id }, text);
  written.prepend(formattingBar(field));
  const help = formattingHelp();
  field.node.append(help);
  const tabs = [tab("Write", written), tab("Preview", shown)];
  written.setAttribute("role", "tabpanel");
  written.setAttribute("aria-labelledby", tabs[0].id);
  shown.setAttribute("aria-labelledby", tabs[1].id);

  function choose(which) {
    tabs.forEach((each, i) => {
      each.setAttribute("aria-selected", String(i === which));
      each.tabIndex = i === which ? 0 : -1;
    });
    written.hidden = which === 1;
    shown.hidden = which === 0;
    help.hidden = which === 1;
    if (which === 1) {
      const text = field.get() ?? "";
      replace(shown, text.trim() ? markdown(text) : h("p", { class: "muted" }, "Nothing to show yet."));
    }
  }
  tabs.forEach((each, i) => {
    each.addEventListener("click", () => choose(i));
    each.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: 0, Home: 0, ArrowRight: 1, End: 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to);
      tabs[to].focus();
    });
  });
  written.before(h("div", { class: "tabs", role: "tablist", "aria-label": "Write or preview" }, tabs));
  written.after(shown);
  choose(0);
  // Its error is of no use behind the preview.
  const { focus } = field;
  return Object.assign(field, { focus: () => (choose(0), focus()) });
}
