-- organisation_id is the recipient. stock_id and job_id carry no foreign key: an enquiry outlives what it was about.
CREATE TABLE IF NOT EXISTS enquiries (
    id              BINARY(16)   NOT NULL PRIMARY KEY,
    organisation_id BINARY(16)   NOT NULL,
    type            VARCHAR(8)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- STOCK, JOB, GENERAL
    stock_id        BINARY(16)   NULL,
    job_id          BINARY(16)   NULL,
    from_user_id    BINARY(16)   NULL,
    name            VARCHAR(120) NOT NULL,
    email           VARCHAR(254) NULL,
    phone           VARCHAR(40)  NULL,
    message         TEXT         NOT NULL,
    status          VARCHAR(8)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    note            TEXT         NULL,
    created_at      DATETIME(3)  NOT NULL,
    updated_at      DATETIME(3)  NOT NULL,
    KEY enquiries_list (organisation_id, created_at, id, status, type),
    KEY enquiries_poll (organisation_id, updated_at, id),
    KEY enquiries_sender (from_user_id, created_at, id),
    CONSTRAINT enquiries_organisation_fk FOREIGN KEY (organisation_id) REFERENCES organisations (id),
    CONSTRAINT enquiries_sender_fk FOREIGN KEY (from_user_id) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
