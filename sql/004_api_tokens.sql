-- hash is the SHA-256 of the token's 64 hexadecimal characters; the token itself is nowhere. name is NULL for those of POST /auth.
CREATE TABLE IF NOT EXISTS api_tokens (
    id           BINARY(16)  NOT NULL PRIMARY KEY,
    user_id      BINARY(16)  NOT NULL,
    hash         BINARY(32)  NOT NULL,
    name         VARCHAR(80) NULL,
    created_at   DATETIME(3) NOT NULL,
    expires_at   DATETIME(3) NOT NULL,
    revoked_at   DATETIME(3) NULL,
    last_used_at DATETIME(3) NULL,
    UNIQUE KEY api_tokens_hash (hash),
    KEY api_tokens_user (user_id, created_at),
    KEY api_tokens_expiry (expires_at),
    CONSTRAINT api_tokens_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
