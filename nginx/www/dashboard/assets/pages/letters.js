// Settings: which letters the user gets, for each organisation.
import { get, patch, withQuery } from "../api.js";
import { attempt, wish } from "../attempt.js";
import { h } from "../dom.js";
import { choiceField } from "../fields.js";
import { fill, outline } from "../loading.js";
import { say } from "../messages.js";
import { session } from "../session.js";
import { settingsPage } from "../settings.js";

const choices = [["AT_ONCE", "At once, an email for each"], ["DAILY", "Once a day, one email that lists them"], ["NONE", "No emails"]];

export function lettersPage() {
  const box = h("div", { class: "panel stack narrow" });
  const address = (organisation) => withQuery("/api/v1/accounts/letters", { organisationId: organisation.id });

  const load = () => Promise.all(session.user.organisations.map(async (organisation) => ({ organisation, ...(await get(address(organisation))).data })));

  function part({ organisation, enquiryMail }) {
    const field = choiceField({ name: "enquiryMail", label: `New enquiries to ${organisation.name}` }, choices, { empty: null });
    let kept = enquiryMail;
    field.set(kept);
    field.input.addEventListener("change", () => {
      const change = { enquiryMail: field.get() };
      wish(address(organisation), { enquiryMail: kept }, change, async () => {
        await attempt(async () => {
          kept = (await patch(address(organisation), change)).data.enquiryMail;
          say(`Saved for ${organisation.name}.`);
        });
        if (field.get() === change.enquiryMail) field.set(kept);
      });
    });
    return field.node;
  }

  const draw = (all) => (all.length > 0 ? all.map(part) : h("p", { class: "muted" }, "You belong to no organisation."));

  fill(box, load, draw, outline(2, "row"));
  const node = settingsPage("Emails", "letters",
    h("p", { class: "muted lead-in" }, `Emails go to ${session.user.email}. A choice is saved at once.`), box);
  return { title: "Emails", node };
}
