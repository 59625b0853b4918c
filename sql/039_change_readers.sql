-- How far each reader of changes has come. What a reader has not taken yet is kept.
CREATE TABLE IF NOT EXISTS change_readers (
    name       VARCHAR(80)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    collection VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NULL,
    position   BIGINT UNSIGNED NOT NULL,
    seen_at    DATETIME(3)     NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
