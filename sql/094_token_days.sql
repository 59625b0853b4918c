-- How much each token was used on a day. Rows go after 14 days.
CREATE TABLE IF NOT EXISTS token_days (
    token_id BINARY(16) NOT NULL,
    day      DATE NOT NULL,
    requests BIGINT UNSIGNED NOT NULL,
    failures BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (token_id, day),
    KEY token_days_age (day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
