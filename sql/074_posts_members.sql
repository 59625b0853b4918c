-- For members who read their own posts, and for those of one organisation.
ALTER TABLE posts ADD INDEX posts_members (organisation_id, published_at, id, listed);
