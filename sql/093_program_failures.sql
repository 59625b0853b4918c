-- What failed of an organisation's programs, a row for each kind of failure, so that a client in a loop costs one. Rows go after 14 days.
CREATE TABLE IF NOT EXISTS program_failures (
    organisation_id BINARY(16)   NOT NULL,
    kind_hash       BINARY(16)   NOT NULL,
    token_id        BINARY(16)   NOT NULL,
    method          VARCHAR(8)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    route           VARCHAR(120) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    status          SMALLINT UNSIGNED NOT NULL,
    code            VARCHAR(40)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    parameter       VARCHAR(100) NOT NULL,
    failures        BIGINT UNSIGNED NOT NULL,
    first_at        DATETIME(3)  NOT NULL,
    last_at         DATETIME(3)  NOT NULL,
    request_id      VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (organisation_id, kind_hash),
    KEY program_failures_age (last_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
