-- Texts that facets count, by the number under which list_counts and a search server have them.
CREATE TABLE IF NOT EXISTS facet_values (
    id   BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    text VARBINARY(320)  NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
