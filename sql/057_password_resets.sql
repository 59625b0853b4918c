-- Links by which users choose a new password. hash is the SHA-256 of the 64 hexadecimal digits in the link, which nothing here keeps: the
-- program that sends the letter makes them.
CREATE TABLE IF NOT EXISTS password_resets (
    hash       BINARY(32)  NOT NULL PRIMARY KEY,
    user_id    BINARY(16)  NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY password_resets_user (user_id, created_at),
    KEY password_resets_expiry (expires_at),
    CONSTRAINT password_resets_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
