-- The same of posts.
ALTER TABLE posts DROP INDEX posts_poll, ADD INDEX posts_poll (organisation_id, updated_at, id, listed, published_at);
