// What can be done with many jobs at once. A job may have no reference, so each is changed by a request of its own.
import { bulkDialog, planOf } from "./bulk.js";
import { deleteMany, patchMany } from "./bulk_steps.js";
import { choiceField } from "./fields.js";
import { many, nameOf } from "./format.js";
import { later } from "./pending.js";

const noun = ["job"];
const path = "/api/v1/jobs";
const legal = { DRAFT: ["PUBLISHED"], PUBLISHED: ["CLOSED", "ARCHIVED"], CLOSED: ["PUBLISHED", "ARCHIVED"], ARCHIVED: ["DRAFT"] };

// The list does not have the description: whether it is there, only the service can tell.
function statusAfter(job, status) {
  if (job.status === status) return null;
  if (!legal[job.status].includes(status)) return { why: `${nameOf(job.status)} cannot become ${nameOf(status).toLowerCase()} at once.` };
  const missing = status === "PUBLISHED" && [["category", "category"], ["contractType", "contract"], ...(job.workplace === "REMOTE" ? [] : [["city", "city"]])]
    .filter(([name]) => job[name] === null).map(([, text]) => text);
  return missing.length > 0 ? { why: `It has no ${missing.join(" and no ")}, which readers need.` } : { status };
}

export function jobActions(organisation) {
  async function status(jobs) {
    const field = choiceField({ name: "status", label: "Status" }, ["PUBLISHED", "CLOSED", "ARCHIVED", "DRAFT"].map((value) => [value, nameOf(value)]), { empty: null });
    field.set("PUBLISHED");
    const changes = await bulkDialog("Set the status", {
      noun, fields: [field], yes: (count) => `Change ${many(count, ...noun)}`, note: "Readers see what is published.",
      plan: () => planOf(jobs, (job) => statusAfter(job, field.get()), (job) => nameOf(job.status)),
    });
    return changes && later({
      organisation, what: `Set ${many(changes.length, ...noun)} to “${nameOf(field.get())}”`, steps: changes.length,
      done: (count) => `${many(count, ...noun)} changed.`, run: patchMany(path, changes),
    });
  }
  return [
    { label: "Status", act: status },
    organisation.role === "ADMIN" && { label: "Delete", kind: "text-danger", act: (jobs) => deleteMany(organisation, path, noun, jobs) },
  ].filter(Boolean);
}
