// Posts: one post, new or there already.
import { field, textField } from "../fields.js";
import { h } from "../dom.js";
import { withPreview } from "../preview.js";
import { aboutPublication, publicationField, publishedPage } from "../publication.js";
import { aside, section } from "../record.js";
import { oneLine } from "../texts.js";

function tagsField(given) {
  const input = h("input", { class: "form-control", type: "text", autocomplete: "off" });
  return field(given, input, {
    read: (text) => [...new Set(text.split(",").map(oneLine).filter(Boolean))],
    write: (tags) => (tags ?? []).join(", "),
  });
}

const makers = {
  title: () => textField({ name: "title", label: "Title", required: true, max: 150, wide: true }),
  reference: () => textField({ name: "reference", label: "Reference", max: 64, hint: "Your own name for it, which no other post of yours has. Readers see it." }),
  summary: () => textField({ name: "summary", label: "Summary", rows: 2, max: 300, wide: true, hint: "One or two sentences for the list." }),
  body: () => withPreview(textField({ name: "body", label: "Text", rows: 20, max: 100000, wide: true, hint: "Needed to publish." })),
  authorName: () => textField({ name: "authorName", label: "Author", max: 120 }),
  tags: () => tagsField({ name: "tags", label: "Tags", hint: "Up to 10, with commas between them." }),
  imageUrl: () => textField({ name: "imageUrl", label: "Picture", type: "url", hint: "The web address of a picture." }),
  publishedAt: () => publicationField(),
};

const content = (c, history) => [
  section("Post", c.title.node, c.reference.node, c.summary.node, c.body.node),
  aside([section("Publication", c.publishedAt.node, c.authorName.node, c.tags.node, c.imageUrl.node)], [history]),
];

export const postPage = (place) => publishedPage(place, {
  name: "post",
  about: aboutPublication,
  needs: () => ["body"],
  makers,
  content,
  keep: "To withdraw it and keep it, make it a draft instead.",
});
