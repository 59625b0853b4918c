-- Messages to the outside: webhooks, mail. Written in the transaction that causes them, without a position. The program that delivers them
-- gives positions after the commit: so those of one target ascend as readers come to see them, and ids do not.
CREATE TABLE IF NOT EXISTS outbox_messages (
    id              BINARY(16)        NOT NULL PRIMARY KEY,
    position        BIGINT UNSIGNED   NULL,
    kind            VARCHAR(32)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    target          VARCHAR(190)      NOT NULL,
    organisation_id BINARY(16)        NULL,
    payload         MEDIUMTEXT        NOT NULL,
    state           VARCHAR(9)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at      DATETIME(3)       NOT NULL,
    not_before      DATETIME(3)       NOT NULL,
    attempts        INT UNSIGNED      NOT NULL DEFAULT 0,
    attempted_at    DATETIME(3)       NULL,
    status          SMALLINT UNSIGNED NULL,
    result          VARCHAR(300)      NULL,
    KEY outbox_messages_position (position, not_before),
    KEY outbox_messages_queue (target, state, position),
    KEY outbox_messages_target (target, id),
    KEY outbox_messages_state (state, not_before)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
