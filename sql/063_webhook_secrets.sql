-- The secrets that sign what is sent: one without an end and, for a day after a rotation, older ones.
CREATE TABLE IF NOT EXISTS webhook_secrets (
    webhook_id BINARY(16)  NOT NULL,
    id         BINARY(16)  NOT NULL,
    secret     BINARY(32)  NOT NULL,
    expires_at DATETIME(3) NULL,
    PRIMARY KEY (webhook_id, id),
    KEY webhook_secrets_expires (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
