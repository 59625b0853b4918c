-- NULL: the payload is the row's own.
ALTER TABLE outbox_messages
    ADD COLUMN bundle_id BINARY(16) NULL,
    ADD INDEX outbox_messages_bundle (bundle_id, target);
