-- rotated_from: the token that this one takes the place of. expiry_notices: how many of the letters before its end have been written.
ALTER TABLE api_tokens
    ADD COLUMN rotated_from BINARY(16) NULL,
    ADD COLUMN expiry_notices TINYINT UNSIGNED NOT NULL DEFAULT 0;
