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
  const text = (given) => () => textField(given);
  return {
    name: text({ name: "name", label: "Name", required: true, max: 150, wide: true }),
    description: () => withPreview(textField({ name: "description", label: "About you", rows: 6, max: 20000, wide: true })),
    logoUploadId: () => logoControl({ organisationId: organisation.id }),
    website: text({ name: "website", label: "Website", type: "url" }),
    email: text({ name: "email", label: "Email", type: "email" }),
    phone: text({ name: "phone", label: "Phone", type: "tel", max: 40 }),
    address: text({ name: "address", label: "Address", rows: 2, max: 300, wide: true }),
    city: text({ name: "city", label: "Town or city", max: 80 }),
    postalCode: text({ name: "postalCode", label: "Postcode", max: 16 }),
    country: () => countryField({ name: "country", label: "Country" }),
  };
}

const content = (c) => [
  section("Organisation", c.name.node, c.description.node),
  section("Logo", h("div", { class: "wide" }, c.logoUploadId.node)),
  section("Contact", c.website.node, c.email.node, c.phone.node),
  section("Place", c.address.node, c.city.node, c.postalCode.node, c.country.node),
];

// What a member reads, without what is empty.
function facts(account) {
  const country = account.country && new Intl.DisplayNames("en-GB", { type: "region" }).of(account.country);
  const part = (title, ...lines) => {
    const given = lines.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
    return given.length > 0 && section(title, h("dl", { class: "facts wide" }, given));
  };
  return h("div", { class: "editor read-only" },
    part("Organisation", ["Name", account.name], ["About", account.description]),
    account.logoUrl && section("Logo", h("div", { class: "logo-frame" }, h("img", { src: account.logoUrl, alt: "The logo" }))),
    part("Contact", ["Website", account.website], ["Email", account.email], ["Phone", account.phone]),
    part("Place", ["Address", account.address], ["Town or city", account.city], ["Postcode", account.postalCode], ["Country", country]));
}

function stateOf(account) {
  if (account.test) return h("span", { class: "mark mark-warn" }, "Test organisation");
  return account.published ? h("span", { class: "mark mark-good" }, "Published") : h("span", { class: "mark mark-warn" }, "Not published");
}

export function organisationPage({ organisation }) {
  const address = withQuery("/api/v1/accounts", { organisationId: organisation.id });
  const admin = organisation.role === "ADMIN";
  const link = (text, part) => h("a", { class: "btn btn-quiet btn-small", href: addressOf(organisation.slug, part) }, text);
  const made = admin && soon(makersFor(organisation));
  return recordPage({
    params: { id: organisation.id },
    titleOf: (account) => account.name,
    title: "Organisation",
    about: (account) => [
      stateOf(account),
      h("span", { class: "mark mark-plain" }, admin ? "You are an administrator" : "You are a member"),
      !account.published && h("span", { class: "muted" }, `Readers do not see it, nor its stock and jobs${account.test ? "" : ", until the marketplace publishes it"}.`),
      !admin && h("span", { class: "muted" }, "Only administrators can change this page."),
      h("div", { class: "head-buttons about-tools" }, link("Team", "team"), link("Limits", "limits"), admin && [link("Integrations", "integrations"), link("Webhooks", "webhooks")]),
    ],
    load: () => get(address),
    belongs: (account) => account.id === organisation.id,
    async edit(record, etag, saved) {
      if (!admin) return { node: facts(record), unsaved: () => false };
      const controls = await made;
      controls.logoUploadId.know(record);
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
