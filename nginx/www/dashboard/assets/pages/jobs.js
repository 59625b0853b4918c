// Jobs: the list, in every state.
import { jobActions } from "../bulk_jobs.js";
import { mostSteps } from "../bulk_steps.js";
import { h, icon } from "../dom.js";
import { isOver, jobBadge, nameOf, salaryOf, sinceOf, timeNode, dayOf } from "../format.js";
import { choiceFilter, listPage, textFilter } from "../list.js";
import { endingWithin } from "../overview_data.js";
import { recentMenu } from "../recent.js";
import { addressOf } from "../shell.js";

const row = (slug) => (job) => [
  h("div", { class: "row-main" },
    h("a", { class: "row-link", href: addressOf(slug, "jobs", job.id) }, job.title),
    h("p", { class: "muted" }, [job.category, job.contractType && nameOf(job.contractType), job.workplace === "REMOTE" ? "Remote" : job.city]
      .filter(Boolean).join(" · ") || "Nothing filled in yet")),
  h("div", { class: "row-figure" }, salaryOf(job)),
  h("div", { class: "row-marks" }, jobBadge(job),
    !isOver(job) && job.expiresAt && h("span", { class: "mark mark-plain" }, `Until ${dayOf(job.expiresAt)}`)),
  h("div", { class: "row-time muted" }, timeNode(job.updatedAt, sinceOf(job.updatedAt))),
];

export function jobsPage({ organisation, query }) {
  const fresh = () => h("a", { class: "btn btn-main", href: addressOf(organisation.slug, "jobs", "new") }, icon("plus"), "Add a job");
  return listPage({
    title: "Jobs",
    path: "/api/v1/jobs",
    key: "jobs",
    noun: ["job"],
    base: { organisationId: organisation.id },
    query,
    states: ["DRAFT", "PUBLISHED", "CLOSED", "ARCHIVED"].map((value) => [value, nameOf(value)]),
    filters: [textFilter("q", "Search in jobs"), choiceFilter("ends", "Closing date", [["7", "Within 7 days"], ["14", "Within 14 days"], ["30", "Within 30 days"]], "Closing date: any"),
      choiceFilter("sort", "Order", [["updated", "Changed last"], ["salary", "Highest salary first"]], "Order: as published")],
    ask: ({ ends, ...wanted }) => ({ ...wanted, ...(ends && endingWithin(ends)) }),
    action: h("div", { class: "head-buttons" }, recentMenu("jobs", organisation, (id) => addressOf(organisation.slug, "jobs", id)), fresh()),
    row: row(organisation.slug),
    actions: jobActions(organisation),
    most: mostSteps,
    empty: () => h("div", { class: "empty" }, icon("jobs"), h("h2", {}, "No jobs yet"),
      h("p", {}, "Vacancies that you publish here can be found by anybody who looks for work in the trade."), fresh()),
  });
}
