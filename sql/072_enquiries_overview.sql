-- What the overview asks of a large organisation: the oldest enquiry of a status, and how long the last replies took.
ALTER TABLE enquiries
    ADD COLUMN replied_at DATETIME(3) NULL,
    ADD INDEX enquiries_status (organisation_id, status, created_at, id),
    ADD INDEX enquiries_replied (organisation_id, replied_at, created_at);
