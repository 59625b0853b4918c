// What stands below the fields of a form: its buttons, and above them why it was not saved.
import { h, replace } from "./dom.js";

// `form` is makeForm()'s; `lead` is a node before the buttons. A button of those that draw() was given calls pressed(button). "Delete" calls drop(),
// and is left out where drop is null.
export function editorFoot(form, { lead, pressed, drop }) {
  const problem = h("div", { class: "form-error", role: "alert" });
  const bar = h("div", { class: "save-bar" });
  const files = h("p", {});
  let drawn = null;

  const complain = (...content) => replace(problem, h("div", { class: "notice notice-bad" }, content));

  const linkTo = (control) => h("li", {}, h("a", { href: `#${control.input.id}`, onclick: (event) => {
    event.preventDefault();
    form.reach(control);
  } }, control.label));

  const buttonOf = (button) =>
    h("button", { type: button.kind === "main" ? "submit" : "button", class: `btn btn-${button.kind ?? "quiet"}`, onclick: (event) => {
      event.preventDefault();
      pressed(button);
    } }, button.label);

  return {
    node: h("div", { class: "save-foot" }, problem, bar),
    complain,
    complains: () => problem.hasChildNodes(),
    // `what` did not happen, as these fields are empty: "Not saved."
    lacks: (controls, what) =>
      complain(h("p", {}, h("strong", {}, what), ` Fill ${controls.length === 1 ? "this" : "these"} in:`), h("ul", {}, controls.map(linkTo))),
    // Whether the form waits for files, which it says then.
    holds() {
      files.textContent = form.held();
      if (files.textContent) complain(files);
      return Boolean(files.textContent);
    },
    // After a change of the form: it may wait for files no longer.
    changed() {
      if (problem.contains(files) && !(files.textContent = form.held())) replace(problem);
    },
    // Removes the message. A focus in it moves to the first button below.
    clear() {
      const had = problem.contains(document.activeElement);
      replace(problem);
      if (had) bar.querySelector("button").focus({ preventScroll: true });
    },
    // The buttons, and "Delete" where `deletes`. They are made anew only when they become others, so that the focus stays on the one that was pressed.
    draw(buttons, { saving, deletes }) {
      bar.toggleAttribute("aria-busy", saving);
      const names = JSON.stringify([buttons, deletes]);
      if (names === drawn) return;
      drawn = names;
      const focused = [...bar.children].indexOf(document.activeElement);
      replace(bar, lead, buttons.map(buttonOf), deletes && drop && h("button", { type: "button", class: "btn btn-text-danger", onclick: drop }, "Delete"));
      // Where the one that was pressed has gone, the one in its place.
      if (focused >= 0) (bar.children[focused] ?? bar.lastElementChild)?.focus({ preventScroll: true });
    },
  };
}
