-- Changes of a user's address that wait for the link in a letter to the new one. hash is the SHA-256 of the 64 hexadecimal digits in that
-- link, which nothing here keeps: the program that sends the letter makes them.
CREATE TABLE IF NOT EXISTS email_changes (
    id         BINARY(16)      NOT NULL PRIMARY KEY,
    user_id    BINARY(16)      NOT NULL,
    email      VARCHAR(254)    NOT NULL,
    email_key  VARBINARY(1024) NOT NULL,
    hash       BINARY(32)      NULL,
    created_at DATETIME(3)     NOT NULL,
    expires_at DATETIME(3)     NOT NULL,
    UNIQUE KEY email_changes_hash (hash),
    KEY email_changes_user (user_id, created_at),
    KEY email_changes_email (email_key),
    KEY email_changes_age (created_at),
    CONSTRAINT email_changes_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
