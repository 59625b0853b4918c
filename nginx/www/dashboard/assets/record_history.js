// The history of a stock item, a job, an event or a post: who changed what, and when. It is asked for when somebody opens it.
import { get, signedIn, withQuery } from "./api.js";
import { h, replace } from "./dom.js";
import { nameOf, sinceOf, timeNode } from "./format.js";
import { fill } from "./loading.js";
import { shownBy } from "./overtaken.js";

const limit = 10;

// `controls` are the form's: they name the fields and show their values. {node, show(query)}: query is {stockId}, {jobId}, {eventId} or {postId};
// show() again after a change.
export function recordHistory(controls) {
  const box = h("div", {});
  const node = h("details", { class: "panel history", hidden: true }, h("summary", {}, h("h2", { class: "panel-title" }, "History")), box);
  let query = null;

  function change({ field, before, after }) {
    const [name, ...rest] = field.split(".");
    const control = controls.find((each) => each.name === name);
    const label = rest.length > 0 ? rest.join(".") : name === "status" ? "Status" : control?.label ?? name;
    const shown = (value) => {
      if (rest.length > 0) return value;
      if (name === "status") return nameOf(value);
      return shownBy(Array.isArray(control?.get?.()) ? null : control, value);  // of a list it is how many there were
    };
    const text = before === after ? "changed" : [before === null ? null : shown(before), after === null ? "empty" : shown(after)].filter((each) => each !== null).join(" → ");
    return h("li", {}, h("span", { class: "muted" }, `${label}: `), text);
  }

  const entry = ({ kind, user, changedAt, changes }) => h("li", {},
    h("p", {}, h("strong", {}, user?.name ?? "Somebody who has left"), h("span", { class: "muted" }, ` ${kind === "CREATED" ? "added it" : "changed it"}, `,
      timeNode(changedAt, sinceOf(changedAt)))),
    changes.length > 0 && h("ul", {}, changes.map(change)));

  async function load(into, page) {
    await fill(into, () => signedIn(() => get(withQuery("/dashboard/api/history", { ...query, limit, page }))), ({ data }) => {
      if (data.total === 0) return h("p", { class: "muted" }, "Nothing is recorded: it has come by an import, or before there was a history.");
      const more = h("div", {}, page < data.pages && h("button", { type: "button", class: "btn btn-quiet btn-small", onclick: () => load(more, page + 1) }, "Show earlier changes"));
      return [h("ol", { class: "changes" }, data.history.map(entry)), more];
    });
  }
  const show = () => (node.open ? load(box, 1) : replace(box));
  node.addEventListener("toggle", show);
  return {
    node,
    show(given) {
      query = given;
      node.hidden = false;
      show();
    },
  };
}
