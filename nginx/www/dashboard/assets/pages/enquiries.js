// Enquiries: the inbox, a list with one of its messages beside it, or in its place on narrow screens. New ones are noticed while it is open.
import { Failure, signedIn, told, withQuery } from "../api.js";
import { h, icon, replace } from "../dom.js";
import { badge, cut, dateOf, many, nameOf, sinceOf, timeNode } from "../format.js";
import { choiceFilter, linkedFilter, listPage, textFilter } from "../list.js";
import { noteChange } from "../list_memory.js";
import { say, silence, warn } from "../messages.js";
import { neighbour } from "../neighbour.js";
import { lastMondays, ofWeek, statusCounts } from "../overview_data.js";
import { go } from "../router.js";
import { addressOf } from "../shell.js";
import { steps } from "../steps.js";
import { setTitle } from "../title.js";
import { onNews } from "../watch.js";
import { enquiryPage } from "./enquiry.js";

const options = (...values) => values.map((value) => [value, nameOf(value)]);
const firstLine = (text) => cut(text.trim().split("\n", 1)[0], 160);
const pictures = { STOCK: "stock", JOB: "jobs", GENERAL: "mail" };

function row(enquiry, link) {
  const subject = (enquiry.stock ?? enquiry.job)?.title, picture = enquiry.stock?.thumbnailUrl;
  return [
    h("div", { class: "thumb" }, picture ? h("img", { src: picture, alt: "", loading: "lazy" }) : icon(pictures[enquiry.type])),
    h("div", { class: enquiry.status === "NEW" ? "row-main unread" : "row-main" }, link,
      subject && h("p", { class: "one-line" }, subject),
      h("p", { class: "muted one-line" }, firstLine(enquiry.message))),
    h("div", { class: "row-marks" }, badge(enquiry.status), h("span", { class: "mark mark-plain" }, nameOf(enquiry.type))),
    h("div", { class: "row-time muted" }, timeNode(enquiry.createdAt, sinceOf(enquiry.createdAt))),
  ];
}

function inboxList(organisation, query, hooks) {
  return listPage({
    title: "Enquiries",
    address: addressOf(organisation.slug, "enquiries"),
    path: "/api/v1/enquiries",
    key: "enquiries",
    noun: ["enquiry", "enquiries"],
    base: { organisationId: organisation.id },
    query,
    states: options("NEW", "READ", "REPLIED", "CLOSED", "SPAM"),
    filters: [textFilter("q", "Search in enquiries"), choiceFilter("type", "About", options("STOCK", "JOB", "GENERAL")),
      choiceFilter("week", "Sent", lastMondays(12).map((monday) => [monday, `Week of ${dateOf(monday)}`]), "Sent: any time"),
      linkedFilter("stockId", "About one stock item"), linkedFilter("jobId", "About one job")],
    // neighbour() goes by the time, and a search would put the best match first.
    ask: ({ week, ...wanted }) => ({ ...wanted, ...(week && ofWeek(week)), sort: wanted.q && "newest" }),
    counts: () => statusCounts(organisation, "enquiries"),
    empty: () => h("div", { class: "empty" }, icon("inbox"), h("h2", {}, "No enquiries yet"),
      h("p", {}, "What people write about your stock and your jobs arrives here, without loading the page again.")),
    ...hooks,
  });
}

// Arrow keys go from row to row.
function walk(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || !event.target.matches(".row-link")) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll(".row-link")];
  all[all.indexOf(event.target) + by]?.focus();
}

export function enquiriesPage({ organisation, query, params }) {
  const list = addressOf(organisation.slug, "enquiries");
  const links = new Map();  // of the rows, by id, in their order
  const arrived = new Set();
  let asked = query, chosen = null, part = null;
  let latest = { enquiries: [], page: 1, pages: 1, total: 0 };  // what the list shows
  let beside = latest;  // the page of the list that has the neighbours of the open enquiry
  let asking = null;    // the last call of beyond()
  // What came since is offered and not pushed in: the list must not move under the pointer.
  const news = h("div", { class: "news", role: "status" });
  const box = h("div", {});
  const nextTo = steps((by) => beyond(by).catch(failed));

  // With the list's filters, so that it stays as it is beside the message.
  const hrefOf = (id, page = asked.page) => withQuery(addressOf(organisation.slug, "enquiries", id), { ...asked, page });
  const hrefOfPage = (page) => withQuery(list, { ...asked, page: page === 1 ? null : page });

  function mark() {
    for (const [id, link] of links) {
      link.href = hrefOf(id);
      if (id === chosen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const isIn = ({ enquiries }) => enquiries.some(({ id }) => id === chosen);
    // One that no longer matches the filter since it was opened keeps the neighbours that it had.
    if (isIn(latest) || !isIn(beside)) beside = latest;
    nextTo.set(beside, chosen, (id) => hrefOf(id), hrefOfPage);
  }

  // Opens the enquiry next to the first or the last one of a page, unless the user goes elsewhere meanwhile.
  async function beyond(by) {
    const mine = (asking = {}), from = chosen, before = beside;
    const found = await signedIn(() => neighbour(inbox.peek, before.enquiries.find(({ id }) => id === from), by, before.page));
    if (mine !== asking || chosen !== from || !node.isConnected) return;
    if (!found) {
      say(by > 0 ? "This is the last one." : "This is the first one.");
      return inbox.reload();
    }
    const { enquiry: { id }, data } = found;
    beside = data;
    await go(hrefOf(id, data.page === 1 ? null : data.page));
    if (chosen !== id) beside = before;  // something was not saved, and the user stayed
  }

  function failed(failure) {
    if (!(failure instanceof Failure)) throw failure;
    warn(told(failure));
  }

  // Its row, after it was read or marked here.
  function changed(enquiry) {
    noteChange(enquiry);
    const link = links.get(enquiry.id);
    if (!link) return;
    const focused = link === document.activeElement;
    replace(link.closest("li"), row(enquiry, link));
    if (focused) link.focus({ preventScroll: true });
  }

  const inbox = inboxList(organisation, query, {
    note: news,
    row(enquiry) {
      const link = h("a", { class: "row-link", href: hrefOf(enquiry.id) }, enquiry.name);
      links.set(enquiry.id, link);
      return row(enquiry, link);
    },
    loaded(data) {
      const shown = new Set(data.enquiries.map(({ id }) => id));
      for (const id of [...links.keys()]) if (!shown.has(id)) links.delete(id);
      const rows = data.enquiries.map(({ id }) => [id, links.get(id)]);
      links.clear();
      for (const [id, link] of rows) links.set(id, link);
      arrived.clear();
      replace(news);
      latest = data;
      mark();
    },
  });

  // Leads back to the list after the open enquiry was deleted.
  function gone() {
    links.delete(chosen);
    go(hrefOfPage(Number(asked.page ?? 1)), { ask: false });
    document.dispatchEvent(new Event("recordschange"));
  }

  function open(id) {
    const before = chosen;
    chosen = id;
    silence();
    node.classList.toggle("inbox-open", Boolean(id));
    // The message's heading is the page's, while there is one.
    inbox.node.querySelector(".list-title, h1").replaceWith(h(id ? "h2" : "h1", { class: "list-title", tabindex: "-1" }, "Enquiries"));
    part = id ? enquiryPage({ organisation, params: { id }, changed: (enquiry) => (changed(enquiry), inbox.recount()), gone }) : null;
    page.unsaved = () => Boolean(part?.unsaved());
    page.title = part?.title ?? inbox.title;
    replace(box, part?.node ?? h("div", { class: "empty" }, icon("mail"), h("p", {}, "Choose an enquiry to read it here.")));
    mark();
    return before;
  }

  function update(next, { id = null }) {
    if (JSON.stringify(next) !== JSON.stringify(asked) || (id && !latest.enquiries.some((each) => each.id === id))) inbox.update(asked = next);
    if (id === chosen) return mark();
    const before = open(id);
    setTitle(page.title);
    // Who goes from one to the next goes on doing so.
    if (id && nextTo.node.contains(document.activeElement) && !document.activeElement.matches(".off")) return;
    const heading = node.querySelector("h1");
    heading.tabIndex = -1;
    (id ? heading : links.get(before) ?? heading).focus({ preventScroll: true });
  }

  const node = h("div", { class: "inbox" }, h("div", { class: "inbox-list", onkeydown: walk }, inbox.node),
    h("div", { class: "inbox-message" }, nextTo.node, box));
  const page = { title: inbox.title, node, update, close: inbox.close, discard: () => part?.discard() };
  open(params.id ?? null);

  onNews(node, (all) => {
    for (const enquiry of all) {
      if (links.has(enquiry.id)) changed(enquiry);
      else if (enquiry.status === "NEW") arrived.add(enquiry.id);
    }
    if (all.length > 0) inbox.recount();
    if (arrived.size === 0) return;
    replace(news, h("div", { class: "notice" }, h("p", {}, `${many(arrived.size, "new enquiry", "new enquiries")} since you opened this page.`),
      h("button", { type: "button", class: "btn btn-main btn-small", onclick: () => {
        inbox.node.querySelector(".list-title").focus();
        inbox.reload();
      } }, "Show")));
  });
  return page;
}
