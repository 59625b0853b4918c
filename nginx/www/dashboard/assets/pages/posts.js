// Posts: the list, with drafts.
import { h, icon } from "../dom.js";
import { publicationBadge, sinceOf, timeNode } from "../format.js";
import { listPage, textFilter } from "../list.js";
import { publicationStates } from "../publication.js";
import { addressOf } from "../shell.js";

const row = (slug) => (post) => [
  h("div", { class: "row-main" },
    h("a", { class: "row-link", href: addressOf(slug, "posts", post.id) }, post.title),
    h("p", { class: "muted" }, [post.authorName, ...post.tags].filter(Boolean).join(" · ") || "No author and no tags yet")),
  h("div", { class: "row-marks" }, publicationBadge(post)),
  h("div", { class: "row-time muted" }, timeNode(post.updatedAt, sinceOf(post.updatedAt))),
];

export function postsPage({ organisation, query }) {
  const fresh = () => h("a", { class: "btn btn-main", href: addressOf(organisation.slug, "posts", "new") }, icon("plus"), "Write a post");
  return listPage({
    title: "Posts",
    path: "/api/v1/posts",
    key: "posts",
    noun: ["post"],
    base: { organisationId: organisation.id },
    query,
    ...publicationStates,
    filters: [textFilter("q", "Search in posts")],
    action: fresh(),
    row: row(organisation.slug),
    empty: () => h("div", { class: "empty" }, icon("posts"), h("h2", {}, "No posts yet"),
      h("p", {}, "News and articles that you publish here are read by everybody in the trade."), fresh()),
  });
}
