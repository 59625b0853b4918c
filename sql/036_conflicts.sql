-- One row for each organisation or user. Two transactions that change the same row on two nodes of a cluster cannot both commit.
CREATE TABLE IF NOT EXISTS conflicts (
    id     BINARY(16)      NOT NULL PRIMARY KEY,
    writes BIGINT UNSIGNED NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
