-- Who does what only one host may do at a time. The times are those of the database's clock.
CREATE TABLE IF NOT EXISTS leases (
    name       VARCHAR(40)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    holder     VARCHAR(120) NOT NULL,
    token      BINARY(16)   NOT NULL,
    expires_at DATETIME(3)  NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
