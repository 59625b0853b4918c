-- For members who follow their jobs.
ALTER TABLE jobs ADD INDEX jobs_poll (organisation_id, updated_at, id);
