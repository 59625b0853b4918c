-- No foreign keys: what was recorded outlives the user, the token and the organisation that it is about. The failures of an hour that
-- one address causes share a row.
CREATE TABLE IF NOT EXISTS audit_log (
    id              BINARY(16)   NOT NULL PRIMARY KEY,
    happened_at     DATETIME(3)  NOT NULL,
    first_at        DATETIME(3)  NOT NULL,
    times           INT UNSIGNED NOT NULL DEFAULT 1,
    event           VARCHAR(40)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    actor           VARCHAR(80)  NOT NULL,
    user_id         BINARY(16)   NULL,
    target_id       BINARY(16)   NULL,
    organisation_id BINARY(16)   NULL,
    address         VARCHAR(45)  NOT NULL,
    request_id      VARCHAR(128) NOT NULL,
    detail          VARCHAR(254) NOT NULL,
    KEY audit_log_time (happened_at),
    KEY audit_log_event (event, happened_at),
    KEY audit_log_actor (actor, happened_at),
    KEY audit_log_user (user_id, happened_at),
    KEY audit_log_address (address, happened_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
