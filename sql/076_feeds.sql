-- Feeds that organisations sent. A feed has its row locked as long as it writes, so that there is one at a time, and polls know of it:
-- what it writes is changed at `begun_at` or later (lists/horizon.cpp). Rows stay.
CREATE TABLE IF NOT EXISTS feeds (
    organisation_id BINARY(16)  NOT NULL,
    list            VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- stock_items, jobs
    begun_at        DATETIME(3) NOT NULL, -- of the last one
    PRIMARY KEY (organisation_id, list),
    CONSTRAINT feeds_organisation_fk FOREIGN KEY (organisation_id) REFERENCES organisations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
