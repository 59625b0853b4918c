-- A row for each target that messages with a position wait for: when the first of them is due, and which process sends it meanwhile. Writers
-- of messages do not touch it.
CREATE TABLE IF NOT EXISTS outbox_targets (
    target          VARCHAR(190)    NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)      NULL,
    next_at         DATETIME(3)     NOT NULL,
    holder          BINARY(16)      NULL,
    arrivals        BIGINT UNSIGNED NOT NULL,
    KEY outbox_targets_next (next_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
