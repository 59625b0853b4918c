// Enquiries: one of them, its answer, its note.
import { Failure, get, patch, told } from "../api.js";
import { h, icon, replace } from "../dom.js";
import { editor } from "../editor.js";
import { choiceField, textField } from "../fields.js";
import { badge, cut, emailNode, momentOf, nameOf, timeNode } from "../format.js";
import { recordPage, section } from "../record.js";
import { warn } from "../messages.js";
import { addressOf } from "../shell.js";
import { lookNow } from "../watch.js";

const states = ["NEW", "READ", "REPLIED", "CLOSED", "SPAM"].map((value) => [value, nameOf(value)]);
const about = { STOCK: ["/api/v1/stock/", "stockId", "stock"], JOB: ["/api/v1/jobs/", "jobId", "jobs"] };

const telephone = (number) => `tel:${number.replace(/[^\d+]/g, "")}`;

const quoted = (text) => text.split("\n").map((line) => `> ${line}`).join("\n");

// What a stranger has typed as the address may look like further recipients.
const mailTo = (email) => `mailto:${encodeURIComponent(email).replace("%40", "@")}`;

function replyAddress(enquiry, subject) {
  const text = `\n\nOn ${momentOf(enquiry.createdAt)}, ${enquiry.name} wrote:\n${quoted(cut(enquiry.message, 1000))}\n`;
  return `${mailTo(enquiry.email)}?subject=${encodeURIComponent(`Re: ${subject}`)}&body=${encodeURIComponent(text)}`;
}

// What it is about, as a link: the item may be gone, which is no failure.
async function subjectOf(enquiry, organisation) {
  const [path, key, part] = about[enquiry.type] ?? [];
  if (!path) return { text: organisation.name, address: null };
  try {
    const { data } = await get(path + enquiry[key]);
    return { text: data.title, address: addressOf(organisation.slug, part, data.id) };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const before = (enquiry.stock ?? enquiry.job)?.title;
    const gone = before ? `${before} (deleted)` : `A ${nameOf(enquiry.type).toLowerCase()} that has been deleted`;
    return { text: failure.status === 404 ? gone : before ?? nameOf(enquiry.type), address: null };
  }
}

// How it is answered: in the bar that stays in view.
function replyTo(enquiry, subject) {
  if (enquiry.email) return h("a", { class: "btn btn-main", href: replyAddress(enquiry, subject) }, icon("mail"), "Reply by email");
  return enquiry.phone && h("a", { class: "btn btn-main", href: telephone(enquiry.phone) }, "Call");
}

function letter(enquiry, organisation, reply) {
  const subject = h("span", {}, "…");
  const picture = enquiry.stock?.thumbnailUrl;
  const phone = enquiry.phone && h("a", { href: telephone(enquiry.phone) }, enquiry.phone);
  const offer = (text) => replace(reply, replyTo(enquiry, text));
  offer(organisation.name);
  subjectOf(enquiry, organisation).then(({ text, address }) => {
    replace(subject, address ? h("a", { href: address }, text) : text);
    if (address) offer(text);
  });
  const line = (name, value) => value && [h("dt", {}, name), h("dd", {}, value)];
  return section("Message", h("div", { class: "wide" },
    h("dl", { class: "facts" }, line("From", enquiry.name), line("Email", enquiry.email && h("a", { href: mailTo(enquiry.email) }, emailNode(enquiry.email))), line("Phone", phone), line("About", h("span", { class: "about-item" }, picture && h("img", { class: "about-picture", src: picture, alt: "" }), subject)),
      line("Sent", timeNode(enquiry.createdAt, momentOf(enquiry.createdAt)))),
    h("p", { class: "letter" }, enquiry.message),
    !enquiry.email && h("p", { class: "muted" }, phone ? "No email address was left: call instead." : "No way to reply was left.")));
}

function buttons(record) {
  const save = { label: "Save" };
  const mark = (label, status, done) => record.status !== status && { label, change: { status }, done };
  return [save, mark("Mark as replied", "REPLIED", "Marked as replied."), mark("Close", "CLOSED", "Closed."), mark("Spam", "SPAM", "Marked as spam.")].filter(Boolean);
}

// Opening a new one reads it.
async function opened(id) {
  const address = `/api/v1/enquiries/${encodeURIComponent(id)}`;
  const found = await get(address);
  if (found.data.status !== "NEW") return found;
  try {
    const read = await patch(address, { status: "READ" }, { ifMatch: found.etag });
    lookNow();
    return read;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.status === 412) return get(address);
    warn(`It could not be marked as read. ${told(failure)}`);
    return found;
  }
}

// `changed(enquiry)` is told how it is now, `gone()` that it was deleted.
export function enquiryPage({ organisation, params, changed, gone }) {
  const list = addressOf(organisation.slug, "enquiries");
  return recordPage({
    params,
    back: { address: list, text: "Enquiries" },
    titleOf: (enquiry) => `Enquiry from ${enquiry.name}`,
    about: (enquiry) => [badge(enquiry.status), h("span", { class: "mark mark-plain" }, nameOf(enquiry.type))],
    async load() {
      const found = await opened(params.id);
      changed(found.data);
      return found;
    },
    belongs: (enquiry) => enquiry.organisationId === organisation.id,
    edit(record, etag, saved) {
      const reply = h("span", { class: "reply" });
      const status = choiceField({ name: "status", label: "Status" }, states, { empty: null });
      const note = textField({ name: "note", label: "Note", rows: 4, max: 5000, wide: true, hint: "For you and your colleagues. The sender does not see it." });
      return editor({
        controls: [status, note],
        content: [letter(record, organisation, reply), section("Status and note", status.node, note.node)],
        record,
        etag,
        buttons,
        lead: reply,
        saved(enquiry, created) {
          saved(enquiry, created);
          changed(enquiry);
          lookNow();
        },
        address: (enquiry) => `/api/v1/enquiries/${enquiry.id}`,
        called: (enquiry) => `the enquiry from ${enquiry.name}`,
        deleted: organisation.role === "ADMIN" ? gone : null,
      });
    },
  });
}
