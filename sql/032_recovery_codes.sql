-- Codes that a user may type once each in place of one of their second factor.
CREATE TABLE IF NOT EXISTS recovery_codes (
    user_id BINARY(16) NOT NULL,
    hash    BINARY(32) NOT NULL,
    PRIMARY KEY (user_id, hash),
    CONSTRAINT recovery_codes_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
