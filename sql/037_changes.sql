-- What writers changed, for readers that follow: the search index, webhooks. Each transaction adds its rows without a position. A position
-- is given after the commit, by whoever reads first: so positions ascend as readers come to see them, and ids do not.
CREATE TABLE IF NOT EXISTS changes (
    id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    position        BIGINT UNSIGNED NULL,
    collection      VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    row_id          BINARY(16)      NOT NULL,
    organisation_id BINARY(16)      NULL,
    kind            VARCHAR(8)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    changed_at      DATETIME(3)     NOT NULL,
    UNIQUE KEY changes_position (position),
    KEY changes_collection (collection, position)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
