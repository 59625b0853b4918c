-- Who changed a stock item or a job, and what, for the members of its organisation. It goes with its row; `prune` removes it after 400 days.
-- `changes` is the JSON list of the fields that differ.
CREATE TABLE IF NOT EXISTS record_history (
    id         BINARY(16)  NOT NULL PRIMARY KEY,
    collection VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- stock, jobs
    row_id     BINARY(16)  NOT NULL,
    user_id    BINARY(16)  NULL, -- NULL once that user is deleted
    kind       VARCHAR(8)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- CREATED, CHANGED
    changes    MEDIUMTEXT  NOT NULL,
    changed_at DATETIME(3) NOT NULL,
    KEY record_history_row (row_id, collection, changed_at, id),
    KEY record_history_age (changed_at),
    KEY record_history_user (user_id),
    CONSTRAINT record_history_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
