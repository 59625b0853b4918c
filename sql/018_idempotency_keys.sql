-- key_hash: SHA-256 of the Idempotency-Key; request_hash: of method, route and body. The answer is NULL while the first request runs.
CREATE TABLE IF NOT EXISTS idempotency_keys (
    user_id      BINARY(16)  NOT NULL,
    key_hash     BINARY(32)  NOT NULL,
    request_hash BINARY(32)  NOT NULL,
    status       SMALLINT UNSIGNED NULL,
    headers      TEXT        NULL, -- a JSON object
    body         MEDIUMTEXT  NULL,
    created_at   DATETIME(3) NOT NULL,
    PRIMARY KEY (user_id, key_hash),
    KEY idempotency_keys_created (created_at),
    CONSTRAINT idempotency_keys_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
