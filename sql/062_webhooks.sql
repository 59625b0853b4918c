-- Addresses of dealers' software that are told what happens in an organisation (fcgi-app/webhooks/README.md).
CREATE TABLE IF NOT EXISTS webhooks (
    id              BINARY(16)    NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)    NOT NULL,
    url             VARCHAR(2048) NOT NULL,
    events          VARCHAR(255)  NOT NULL,
    active          TINYINT(1)    NOT NULL,
    disabled_reason VARCHAR(16)   CHARACTER SET ascii COLLATE ascii_bin NULL,
    failing_since   DATETIME(3)   NULL,
    created_at      DATETIME(3)   NOT NULL,
    updated_at      DATETIME(3)   NOT NULL,
    KEY webhooks_organisation (organisation_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
