-- The same of posts.
ALTER TABLE posts ADD COLUMN reference VARBINARY(256) NULL AFTER slug,
    ADD UNIQUE KEY posts_reference (organisation_id, reference),
    ADD KEY posts_poll (organisation_id, updated_at, id);
