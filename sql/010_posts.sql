-- listed: published_at is set and the organisation, if any, is published.
CREATE TABLE IF NOT EXISTS posts (
    id              BINARY(16)    NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)    NULL,
    slug            VARCHAR(120)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    title           VARCHAR(150)  NOT NULL,
    summary         VARCHAR(300)  NULL,
    body            MEDIUMTEXT    NULL,
    image_url       VARCHAR(2048) NULL,
    tags            TEXT          NOT NULL, -- a JSON array of strings
    author_name     VARCHAR(120)  NULL,
    listed          TINYINT(1)    NOT NULL,
    published_at    DATETIME(3)   NULL,
    created_at      DATETIME(3)   NOT NULL,
    updated_at      DATETIME(3)   NOT NULL,
    UNIQUE KEY posts_slug (slug),
    KEY posts_listed (listed, published_at, id),
    KEY posts_organisation (organisation_id),
    CONSTRAINT posts_organisation_fk FOREIGN KEY (organisation_id) REFERENCES organisations (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
