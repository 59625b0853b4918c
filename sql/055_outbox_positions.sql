-- One row, as in change_positions: whoever gives positions locks and changes it.
CREATE TABLE IF NOT EXISTS outbox_positions (
    id   TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    last BIGINT UNSIGNED  NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
