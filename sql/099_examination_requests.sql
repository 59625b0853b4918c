-- What the programs of a test organisation did while they were examined. `fault` is what the request met; each is made once.
CREATE TABLE IF NOT EXISTS examination_requests (
    id              BINARY(16)   NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)   NOT NULL,
    at              DATETIME(3)  NOT NULL,
    user_id         BINARY(16)   NOT NULL,
    token_id        BINARY(16)   NOT NULL,
    request_id      VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    method          VARCHAR(8)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    route           VARCHAR(190) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject         BINARY(16)   NULL, -- a hash of what the path names
    content         BINARY(16)   NOT NULL, -- a hash of method, target and body
    idempotency_key BINARY(16)   NULL, -- a hash
    since           DATETIME(3)  NULL,
    fault           VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NULL,
    status          SMALLINT UNSIGNED NULL,
    UNIQUE KEY examination_requests_fault (organisation_id, fault),
    KEY examination_requests_list (organisation_id, at, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
