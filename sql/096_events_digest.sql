-- The same of events.
ALTER TABLE events DROP INDEX events_poll, ADD INDEX events_poll (organisation_id, updated_at, id, listed, published_at);
