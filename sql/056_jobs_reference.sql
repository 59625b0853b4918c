-- The publisher's own name for a job; binary because it compares exactly, trailing spaces included.
ALTER TABLE jobs ADD COLUMN reference VARBINARY(256) NULL AFTER slug, ADD UNIQUE KEY jobs_reference (organisation_id, reference);
