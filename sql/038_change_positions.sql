-- One row. Whoever gives positions locks and changes it, so that nobody else does at the same time, on another node of a cluster either.
CREATE TABLE IF NOT EXISTS change_positions (
    id     TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    last   BIGINT UNSIGNED  NOT NULL,
    pruned BIGINT UNSIGNED  NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
