-- Who created a token of an integration. NULL: the user of the token, the operator, a user who was deleted, or a release that did not record it.
ALTER TABLE api_tokens
    ADD COLUMN minted_by BINARY(16) NULL,
    ADD INDEX api_tokens_minter (minted_by),
    ADD CONSTRAINT api_tokens_minter_fk FOREIGN KEY (minted_by) REFERENCES users (id) ON DELETE SET NULL;
