-- reference is binary because it compares exactly, trailing spaces included.
CREATE TABLE IF NOT EXISTS stock_items (
    id              BINARY(16)      NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)      NOT NULL,
    reference       VARBINARY(256)  NOT NULL,
    title           VARCHAR(150)    NOT NULL,
    description     MEDIUMTEXT      NULL,
    category        VARCHAR(80)     NULL,
    make            VARCHAR(80)     NULL,
    model           VARCHAR(80)     NULL,
    variant         VARCHAR(80)     NULL,
    year            SMALLINT UNSIGNED NULL,
    item_condition  VARCHAR(16)     CHARACTER SET ascii COLLATE ascii_bin NULL,
    price           BIGINT UNSIGNED NULL,
    currency        CHAR(3)         CHARACTER SET ascii COLLATE ascii_bin NULL,
    attributes      MEDIUMTEXT      NOT NULL, -- a JSON object of strings
    status          VARCHAR(16)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    availability    VARCHAR(16)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at      DATETIME(3)     NOT NULL,
    updated_at      DATETIME(3)     NOT NULL,
    UNIQUE KEY stock_items_reference (organisation_id, reference),
    KEY stock_items_list (organisation_id, created_at, id, status, availability),
    KEY stock_items_poll (organisation_id, updated_at, id),
    CONSTRAINT stock_items_organisation_fk FOREIGN KEY (organisation_id) REFERENCES organisations (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
