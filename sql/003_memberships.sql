CREATE TABLE IF NOT EXISTS memberships (
    user_id         BINARY(16)  NOT NULL,
    organisation_id BINARY(16)  NOT NULL,
    role            VARCHAR(8)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- ADMIN, MEMBER
    created_at      DATETIME(3) NOT NULL,
    PRIMARY KEY (user_id, organisation_id),
    KEY memberships_organisation (organisation_id, user_id),
    CONSTRAINT memberships_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT memberships_organisation_fk FOREIGN KEY (organisation_id) REFERENCES organisations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
