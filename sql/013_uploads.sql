-- hash and size are those of the stored bytes; for a PENDING upload sent_* are those that the client announced.
CREATE TABLE IF NOT EXISTS uploads (
    id              BINARY(16)      NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)      NOT NULL,
    user_id         BINARY(16)      NULL,
    status          VARCHAR(8)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- PENDING, READY
    filename        VARCHAR(255)    NOT NULL,
    content_type    VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    sent_size       BIGINT UNSIGNED NULL,
    sent_hash       BINARY(32)      NULL,
    content_hash    BINARY(32)      NULL,
    size            BIGINT UNSIGNED NULL,
    width           INT UNSIGNED    NULL,
    height          INT UNSIGNED    NULL,
    attachments     INT UNSIGNED    NOT NULL DEFAULT 0,
    created_at      DATETIME(3)     NOT NULL,
    detached_at     DATETIME(3)     NULL, -- since when nothing refers to it; NULL while something does
    KEY uploads_organisation (organisation_id, created_at, id, size),
    KEY uploads_content (content_hash),
    KEY uploads_detached (detached_at),
    CONSTRAINT uploads_organisation_fk FOREIGN KEY (organisation_id) REFERENCES organisations (id),
    CONSTRAINT uploads_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
