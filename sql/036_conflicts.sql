-- One row for each organisation or user, which transactions change that must not pass each other on two nodes of a cluster.
CREATE TABLE IF NOT EXISTS conflicts (
    id     BINARY(16)      NOT NULL PRIMARY KEY,
    writes BIGINT UNSIGNED NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
