// The organisation's own account: what readers see beside its stock and jobs.
import { get, withQuery } from "../api.js";
import { h } from "../dom.js";
import { editor } from "../editor.js";
import { textField } from "../fields.js";
import { logoControl } from "../logo.js";
import { countryField } from "../places.js";
import { withPreview } from "../preview.js";
import { recordPage, section, soon } from "../record.js";
import { addressOf, showName } from "../shell.js";

function makersFor(organisation) {
  const readOnly = organisation.role !== "ADMIN";
  const text = (given) => () => textField({ ...given, readOnly });
  const about = text({ name: "description", label: "About you", rows: 6, max: 20000, wide: true });
  return {
    name: text({ name: "name", label: "Name", required: !readOnly, max: 150, wide: true }),
    description: () => (readOnly ? about() : withPreview(about())),
    logoUploadId: () => logoControl({ organisationId: organisation.id, readOnly }),
    website: text({ name: "website", label: "Website", type: "url" }),
    email: text({ name: "email", label: "Email", type: "email" }),
    phone: text({ name: "phone", label: "Phone", type: "tel", max: 40 }),
    address: text({ name: "address", label: "Address", rows: 2, max: 300, wide: true }),
    city: text({ name: "city", label: "Town or city", max: 80 }),
    postalCode: text({ name: "postalCode", label: "Postcode", max: 16 }),
    country: () => countryField({ name: "country", label: "Country", readOnly }),
  };
}

const content = (c) => [
  section("Organisation", c.name.node, c.description.node),
  section("Logo", h("div", { class: "wide" }, c.logoUploadId.node)),
  section("Contact", c.website.node, c.email.node, c.phone.node),
  section("Place", c.address.node, c.city.node, c.postalCode.node, c.country.node),
];

export function organisationPage({ organisation }) {
  const address = withQuery("/api/v1/accounts", { organisationId: organisation.id });
  const admin = organisation.role === "ADMIN";
  const link = (text, part) => h("a", { class: "btn btn-quiet btn-small", href: addressOf(organisation.slug, part) }, text);
  const made = soon(makersFor(organisation));
  return recordPage({
    params: { id: organisation.id },
    titleOf: (account) => account.name,
    title: "Organisation",
    about: (account) => [
      account.published ? h("span", { class: "mark mark-good" }, "Published") : h("span", { class: "mark mark-warn" }, "Not published"),
      h("span", { class: "mark mark-plain" }, admin ? "You are an administrator" : "You are a member"),
      !account.published && h("span", { class: "muted" }, "Readers do not see it, nor its stock and jobs, until the marketplace publishes it."),
      !admin && h("span", { class: "muted" }, "Only administrators can change this page."),
      h("div", { class: "head-buttons about-tools" }, link("Team", "team"), admin && [link("Integrations", "integrations"), link("Webhooks", "webhooks")]),
    ],
    load: () => get(address),
    belongs: (account) => account.id === organisation.id,
    async edit(record, etag, saved) {
      const controls = await made;
      controls.logoUploadId.know(record);
      if (!admin) {
        const node = h("div", { class: "editor read-only" }, content(controls));
        // What is empty is no box that looks as if it could be filled in.
        for (const control of Object.values(controls)) {
          if (record[control.name] === null) control.node.remove();
          else control.set(record[control.name]);
        }
        for (const panel of node.querySelectorAll(".panel:has(.grid:empty, .wide:empty)")) panel.remove();
        return { node, unsaved: () => false };
      }
      return editor({
        controls: Object.values(controls),
        content: content(controls),
        record,
        etag,
        saved(account, created) {
          organisation.name = account.name;
          showName(organisation);
          saved(account, created);
        },
        buttons: () => [{ label: "Save", kind: "main" }],
        address: () => address,
      });
    },
  });
}
