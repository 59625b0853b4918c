// Posts: one post, new or there already.
import { getOwn } from "../api.js";
import { editor } from "../editor.js";
import { field, textField } from "../fields.js";
import { h } from "../dom.js";
import { withPreview } from "../preview.js";
import { aboutPublication, publicationButtons, publicationField } from "../publication.js";
import { aside, recordPage, section } from "../record.js";
import { go } from "../router.js";
import { addressOf } from "../shell.js";

function tagsField(given) {
  const input = h("input", { class: "form-control", type: "text", autocomplete: "off" });
  return field(given, input, {
    read: (text) => [...new Set(text.split(",").map((tag) => tag.trim()).filter(Boolean))],
    write: (tags) => (tags ?? []).join(", "),
  });
}

function controlsOf() {
  return {
    title: textField({ name: "title", label: "Title", required: true, max: 150, wide: true }),
    summary: textField({ name: "summary", label: "Summary", rows: 2, max: 300, wide: true, hint: "One or two sentences for the list." }),
    body: withPreview(textField({ name: "body", label: "Text", rows: 20, max: 100000, wide: true, hint: "Markdown. Needed to publish." })),
    authorName: textField({ name: "authorName", label: "Author", max: 120 }),
    tags: tagsField({ name: "tags", label: "Tags", hint: "Up to 10, with commas between them." }),
    imageUrl: textField({ name: "imageUrl", label: "Picture", type: "url", hint: "The web address of a picture." }),
    publishedAt: publicationField(),
  };
}

const content = (c) => [
  section("Post", c.title.node, c.summary.node, c.body.node),
  aside(section("Publication", c.publishedAt.node, c.authorName.node, c.tags.node, c.imageUrl.node)),
];

const buttons = publicationButtons(() => ["body"], "post");

export function postPage({ organisation, params }) {
  const list = addressOf(organisation.slug, "posts");
  return recordPage({
    params,
    back: { address: list, text: "Posts" },
    newTitle: "New post",
    titleOf: (post) => post.title,
    about: aboutPublication,
    load: () => getOwn(`/api/v1/posts/${encodeURIComponent(params.id)}`),
    belongs: (post) => post.organisation?.id === organisation.id,
    edit(record, etag, saved) {
      const controls = controlsOf();
      return editor({
        controls: Object.values(controls),
        content: content(controls),
        record,
        etag,
        buttons,
        saved,
        defaults: { organisationId: organisation.id },
        collection: "/api/v1/posts",
        address: (post) => `/api/v1/posts/${post.id}`,
        keep: "To withdraw it and keep it, make it a draft instead.",
        called: (post) => `“${post.title}”`,
        deleted: organisation.role === "ADMIN" ? () => go(list, { ask: false }) : null,
      });
    },
    addressOf: (post) => addressOf(organisation.slug, "posts", post.id),
  });
}
