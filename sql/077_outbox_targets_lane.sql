-- Which senders a target's messages have. Empty: numbered by a release without lanes.
ALTER TABLE outbox_targets
    ADD COLUMN lane VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    ADD INDEX outbox_targets_lane (lane, next_at);
