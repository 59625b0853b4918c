-- Messages that several targets get alike, stored once. A row of outbox_messages for each target refers to it until the target's turn comes.
CREATE TABLE IF NOT EXISTS outbox_bundles (
    id              BINARY(16)   NOT NULL PRIMARY KEY,
    kind            VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    organisation_id BINARY(16)   NULL,
    created_at      DATETIME(3)  NOT NULL,
    parts           INT UNSIGNED NOT NULL,
    bytes           INT UNSIGNED NOT NULL,
    items           MEDIUMTEXT   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payloads        MEDIUMTEXT   NOT NULL,
    KEY outbox_bundles_backlog (organisation_id, parts, bytes)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
