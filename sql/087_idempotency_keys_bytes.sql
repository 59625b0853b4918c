-- What a user's kept answers take ([limits] user_idempotency_bytes). 0 for answers of before, which are gone after a day.
ALTER TABLE idempotency_keys
    ADD COLUMN bytes INT UNSIGNED NOT NULL DEFAULT 0,
    ADD INDEX idempotency_keys_user (user_id, created_at, bytes);
