-- The dashboard's sessions. hash is the SHA-256 of the value of the cookie; csrf_token is what X-CSRF-Token must hold, in hexadecimal.
CREATE TABLE IF NOT EXISTS sessions (
    hash         BINARY(32)  NOT NULL PRIMARY KEY,
    user_id      BINARY(16)  NOT NULL,
    csrf_token   BINARY(32)  NOT NULL,
    created_at   DATETIME(3) NOT NULL,
    last_seen_at DATETIME(3) NOT NULL,
    KEY sessions_user (user_id),
    KEY sessions_last_seen (last_seen_at),
    CONSTRAINT sessions_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
