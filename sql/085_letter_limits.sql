-- How many emails went to people who did not ask for them, by recipient and by organisation. A row counts for a day.
CREATE TABLE IF NOT EXISTS letter_limits (
    key_hash BINARY(32)   NOT NULL PRIMARY KEY,
    began_at DATETIME(3)  NOT NULL,
    last_at  DATETIME(3)  NOT NULL,
    letters  INT UNSIGNED NOT NULL,
    KEY letter_limits_age (began_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
