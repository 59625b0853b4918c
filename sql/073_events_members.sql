-- For members who read their own events, and for those of one organisation.
ALTER TABLE events ADD INDEX events_members (organisation_id, starts_at, id, listed, over_at, published_at);
