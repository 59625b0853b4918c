-- NULL: all scopes. Names with spaces between them (RFC 6749, section 3.3).
ALTER TABLE api_tokens ADD COLUMN scopes VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL;
