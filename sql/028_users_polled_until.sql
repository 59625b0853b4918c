-- The same for polls of the enquiries that a user sent.
ALTER TABLE users ADD COLUMN polled_until DATETIME(3) NULL;
