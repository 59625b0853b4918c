-- Who is invited to an organisation, once for each address. hash is the SHA-256 of the 64 hexadecimal digits in the last letter's link, which
-- nothing here keeps: the program that sends the letter makes them.
CREATE TABLE IF NOT EXISTS invitations (
    id              BINARY(16)      NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)      NOT NULL,
    email           VARCHAR(254)    NOT NULL,
    email_key       VARBINARY(1024) NOT NULL,
    role            VARCHAR(8)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    invited_by      BINARY(16)      NULL,
    hash            BINARY(32)      NULL,
    created_at      DATETIME(3)     NOT NULL,
    expires_at      DATETIME(3)     NOT NULL,
    UNIQUE KEY invitations_email (organisation_id, email_key),
    UNIQUE KEY invitations_hash (hash),
    KEY invitations_expiry (expires_at),
    KEY invitations_inviter (invited_by),
    CONSTRAINT invitations_organisation_fk FOREIGN KEY (organisation_id) REFERENCES organisations (id) ON DELETE CASCADE,
    CONSTRAINT invitations_inviter_fk FOREIGN KEY (invited_by) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
