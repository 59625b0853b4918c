// Jobs: one job, new or there already.
import { getOwn } from "../api.js";
import { h } from "../dom.js";
import { copied, copyNote, duplicateLink, startOf } from "../duplicate.js";
import { editor } from "../editor.js";
import { choiceField, integerField, lastDayField, textField } from "../fields.js";
import { isOver, jobBadge, momentOf, nameOf, timeNode } from "../format.js";
import { countryField, currencyField, currencyOf } from "../places.js";
import { withPreview } from "../preview.js";
import { forgetOne, noteOpened } from "../recent.js";
import { recordHistory } from "../record_history.js";
import { aside, recordPage, section, soon } from "../record.js";
import { enquiriesAbout } from "../related.js";
import { addressOf } from "../shell.js";

const choice = (name, label, values, hint) => choiceField({ name, label, hint }, values.map((value) => [value, nameOf(value)]));

const makers = {
  title: () => textField({ name: "title", label: "Title", required: true, max: 150, wide: true }),
  reference: () => textField({ name: "reference", label: "Reference", max: 64, hint: "Your own name for it, which no other job of yours has. Readers see it." }),
  summary: () => textField({ name: "summary", label: "Summary", rows: 2, max: 300, wide: true, hint: "One or two sentences for the list." }),
  description: () => withPreview(textField({ name: "description", label: "Description", rows: 12, max: 20000, wide: true, hint: "Needed to publish." })),
  category: () => textField({ name: "category", label: "Category", max: 80, hint: "Needed to publish." }),
  department: () => textField({ name: "department", label: "Department", max: 80 }),
  contractType: () => choice("contractType", "Contract", ["PERMANENT", "FIXED_TERM", "TEMPORARY", "CONTRACT", "APPRENTICESHIP", "INTERNSHIP"], "Needed to publish."),
  workingHours: () => choice("workingHours", "Working hours", ["FULL_TIME", "PART_TIME"]),
  workplace: () => choice("workplace", "Workplace", ["ON_SITE", "HYBRID", "REMOTE"]),
  city: () => textField({ name: "city", label: "Town or city", max: 80, hint: "Needed to publish, unless the workplace is remote." }),
  postalCode: () => textField({ name: "postalCode", label: "Postcode", max: 16 }),
  country: () => countryField({ name: "country", label: "Country" }),
  salaryMin: () => integerField({ name: "salaryMin", label: "Salary from" }),
  salaryMax: () => integerField({ name: "salaryMax", label: "Salary to" }),
  salaryCurrency: () => currencyField({ name: "salaryCurrency", label: "Currency" }),
  salaryPeriod: () => choice("salaryPeriod", "Per", ["HOUR", "DAY", "WEEK", "MONTH", "YEAR"]),
  applyUrl: () => textField({ name: "applyUrl", label: "Application web page", type: "url" }),
  applyEmail: () => textField({ name: "applyEmail", label: "Apply by email", type: "email" }),
  expiresAt: () => lastDayField({ name: "expiresAt", label: "Closing date", hint: "Shown until the end of this day." }),
};

function content(c, related, history) {
  const [beside, end] = related ? aside([], [related, history]) : [null, history];
  return [
    section("Job", c.title.node, c.reference.node, c.summary.node, c.description.node),
    beside,
    section("Kind of work", c.category.node, c.department.node, c.contractType.node, c.workingHours.node),
    section("Place", c.workplace.node, c.city.node, c.postalCode.node, c.country.node),
    section("Salary", c.salaryMin.node, c.salaryMax.node, c.salaryCurrency.node, c.salaryPeriod.node),
    section("Applications", c.applyUrl.node, c.applyEmail.node, c.expiresAt.node),
    end,
  ];
}

const published = (job) => (isOver(job) ? "Published, but its closing date is over: readers do not see it." : "Published: readers see it now.");
const needs = (value) => ["description", "category", "contractType", ...(value("workplace") === "REMOTE" ? [] : ["city"])];
const publish = (label = "Publish") => ({ label, change: { status: "PUBLISHED" }, done: published, needs });
const archive = { label: "Archive", change: { status: "ARCHIVED" }, done: "Archived: readers no longer see it.",
  ask: { title: "Archive this job?", text: "Readers no longer see it. It can become a draft again." } };
const close = { label: "Close", change: { status: "CLOSED" }, done: "Closed: readers no longer see it.",
  ask: { title: "Close this job?", text: "Readers no longer see it. It can be published again.", yes: "Close the job", no: "Keep it open" } };
const moves = {
  DRAFT: [publish()],
  PUBLISHED: [close, archive],
  CLOSED: [publish("Publish again"), archive],
  ARCHIVED: [{ label: "Back to draft", change: { status: "DRAFT" }, done: "It is a draft again." }],
};

function buttons(record) {
  if (!record) return [{ label: "Save as draft", kind: "main", done: "Saved as a draft: nobody else sees it." }, publish()];
  return [{ label: "Save", kind: "main" }, ...moves[record.status]];
}

export function jobPage({ organisation, params, query }) {
  const read = (id) => () => getOwn(`/api/v1/jobs/${encodeURIComponent(id)}`);
  const belongs = (job) => job.organisation.id === organisation.id;
  const made = soon(makers);
  return recordPage({
    params,
    back: { address: addressOf(organisation.slug, "jobs"), text: "Jobs" },
    newTitle: "New job",
    titleOf: (job) => job.title,
    about: (job) => [jobBadge(job), h("span", { class: "muted" }, job.publishedAt
      ? [(job.status !== "PUBLISHED" || isOver(job)) && "Published ", timeNode(job.publishedAt, momentOf(job.publishedAt))] : ["Changed ", timeNode(job.updatedAt, momentOf(job.updatedAt))]),
      h("div", { class: "head-buttons about-tools" }, duplicateLink(`${addressOf(organisation.slug, "jobs", "new")}?copy=${job.id}`))],
    opened: (job) => noteOpened("jobs", organisation, job),
    gone: (id) => forgetOne("jobs", organisation, id),
    load: read(params.id),
    belongs,
    begin: query.copy ? copied(read(query.copy), belongs) : async () => ({ salaryCurrency: await currencyOf(organisation) }),
    async edit(record, etag, saved, gone, begun) {
      const controls = await made;
      const history = recordHistory(Object.values(controls));
      if (record) history.show({ jobId: record.id });
      const start = startOf(begun, controls);
      const note = copyNote(begun);
      return editor({
        controls: Object.values(controls),
        content: [note, content(controls, record && enquiriesAbout(organisation, { jobId: record.id }), history.node)],
        record,
        etag,
        buttons,
        saved(job, created) {
          note?.remove();
          saved(job, created);
          history.show({ jobId: job.id });
        },
        start,
        // A currency says nothing without a salary.
        defaults: (value) => ({ organisationId: organisation.id, ...((begun?.copied || value("salaryMin") !== null || value("salaryMax") !== null) && start) }),
        collection: "/api/v1/jobs",
        address: (job) => `/api/v1/jobs/${job.id}`,
        keep: "To withdraw it and keep it, archive it instead.",
        called: (job) => `“${job.title}”`,
        deleted: organisation.role === "ADMIN" ? gone : null,
      });
    },
    addressOf: (job) => addressOf(organisation.slug, "jobs", job.id),
  });
}
