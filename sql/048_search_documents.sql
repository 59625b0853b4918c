-- Numbers of rows as documents of a search server.
CREATE TABLE IF NOT EXISTS search_documents (
    number BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    list   VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    row_id BINARY(16)      NOT NULL,
    UNIQUE KEY search_documents_row (list, row_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
