-- The second factor of sign-in by time-based one-time passwords (RFC 6238). While enabled_at is NULL the user has not yet typed a first code.
-- last_step is the time step of the last code that was taken, since each is taken once.
CREATE TABLE IF NOT EXISTS second_factors (
    user_id    BINARY(16)       NOT NULL PRIMARY KEY,
    secret     VARBINARY(32)    NOT NULL,
    created_at DATETIME(3)      NOT NULL,
    enabled_at DATETIME(3)      NULL,
    last_step  BIGINT           NOT NULL DEFAULT 0,
    failures   TINYINT UNSIGNED NOT NULL DEFAULT 0,
    failed_at  DATETIME(3)      NULL,
    CONSTRAINT second_factors_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
