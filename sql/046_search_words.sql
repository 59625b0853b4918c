-- By which encoding the words of all rows of a table are there for the search.
CREATE TABLE IF NOT EXISTS search_words (
    list   VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    scheme INT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
