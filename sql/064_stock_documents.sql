CREATE TABLE IF NOT EXISTS stock_documents (
    stock_id  BINARY(16)       NOT NULL,
    position  TINYINT UNSIGNED NOT NULL,
    upload_id BINARY(16)       NOT NULL,
    title     VARCHAR(150)     NULL,
    PRIMARY KEY (stock_id, position),
    KEY stock_documents_upload (upload_id),
    CONSTRAINT stock_documents_stock_fk FOREIGN KEY (stock_id) REFERENCES stock_items (id) ON DELETE CASCADE,
    CONSTRAINT stock_documents_upload_fk FOREIGN KEY (upload_id) REFERENCES uploads (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
