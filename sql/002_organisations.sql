-- Dealers and other members of the marketplace. logo_url repeats the attached upload's, so that lists need no further join.
CREATE TABLE IF NOT EXISTS organisations (
    id             BINARY(16)    NOT NULL PRIMARY KEY,
    slug           VARCHAR(120)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name           VARCHAR(150)  NOT NULL,
    description    MEDIUMTEXT    NULL,
    website        VARCHAR(2048) NULL,
    phone          VARCHAR(40)   NULL,
    email          VARCHAR(254)  NULL,
    address        VARCHAR(300)  NULL,
    city           VARCHAR(80)   NULL,
    postal_code    VARCHAR(16)   NULL,
    country        CHAR(2)       CHARACTER SET ascii COLLATE ascii_bin NULL,
    logo_upload_id BINARY(16)    NULL,
    logo_url       VARCHAR(255)  NULL,
    published      TINYINT(1)    NOT NULL DEFAULT 0,
    created_at     DATETIME(3)   NOT NULL,
    updated_at     DATETIME(3)   NOT NULL,
    UNIQUE KEY organisations_slug (slug)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
