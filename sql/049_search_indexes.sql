-- Which of the two indexes that a search server has of a table is searched.
CREATE TABLE IF NOT EXISTS search_indexes (
    list     VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    side     CHAR(1)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    identity BIGINT      NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
