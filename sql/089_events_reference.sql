-- As of jobs: the publisher's own name for an event, and for members who follow their events. The indexes take the place of the one for
-- the foreign key alone.
ALTER TABLE events ADD COLUMN reference VARBINARY(256) NULL AFTER slug,
    ADD UNIQUE KEY events_reference (organisation_id, reference),
    ADD KEY events_poll (organisation_id, updated_at, id);
