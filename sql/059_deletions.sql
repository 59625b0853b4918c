-- What is left of deleted stock items and jobs, for those who follow the lists; `prune` removes it after 91 days. A row may be deleted, come
-- again by an import and be deleted again, so row_id is no key.
CREATE TABLE IF NOT EXISTS deletions (
    id              BINARY(16)     NOT NULL PRIMARY KEY,
    collection      VARCHAR(16)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- stock, jobs
    row_id          BINARY(16)     NOT NULL,
    organisation_id BINARY(16)     NOT NULL,
    reference       VARBINARY(256) NULL,
    deleted_at      DATETIME(3)    NOT NULL,
    KEY deletions_organisation (organisation_id, collection, deleted_at, id),
    KEY deletions_age (deleted_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
