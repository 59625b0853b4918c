-- Secrets that the processes of an instance share, each made once by whoever needs it first.
CREATE TABLE IF NOT EXISTS instance_keys (
    name       VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    value      BINARY(32)   NOT NULL,
    created_at DATETIME(3)  NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
