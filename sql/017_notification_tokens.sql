-- hash is the SHA-256 of the device's token: what makes it unique whatever its length.
CREATE TABLE IF NOT EXISTS notification_tokens (
    hash        BINARY(32)  NOT NULL PRIMARY KEY,
    user_id     BINARY(16)  NOT NULL,
    token       TEXT        NOT NULL,
    platform    VARCHAR(8)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- IOS, ANDROID, WEB
    device_name VARCHAR(80) NULL,
    created_at  DATETIME(3) NOT NULL,
    updated_at  DATETIME(3) NOT NULL,
    KEY notification_tokens_user (user_id),
    CONSTRAINT notification_tokens_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
