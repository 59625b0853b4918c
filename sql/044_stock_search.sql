-- What q is matched against: the words of a stock item as the application encodes them.
CREATE TABLE IF NOT EXISTS stock_search (
    stock_id BINARY(16) NOT NULL PRIMARY KEY,
    tokens   MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    CONSTRAINT stock_search_stock_fk FOREIGN KEY (stock_id) REFERENCES stock_items (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
