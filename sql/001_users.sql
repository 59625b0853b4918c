-- People who sign in. email_key is the address as it compares: trimmed and case-folded.
CREATE TABLE IF NOT EXISTS users (
    id            BINARY(16)   NOT NULL PRIMARY KEY,
    email         VARCHAR(254) NOT NULL,
    email_key     VARBINARY(1024) NOT NULL,
    name          VARCHAR(120) NOT NULL,
    password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
    disabled_at   DATETIME(3)  NULL,
    created_at    DATETIME(3)  NOT NULL,
    updated_at    DATETIME(3)  NOT NULL,
    UNIQUE KEY users_email (email_key)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
