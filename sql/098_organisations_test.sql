-- A test organisation, and the examination of its programs that was begun last.
ALTER TABLE organisations ADD COLUMN test TINYINT(1) NOT NULL DEFAULT 0 AFTER published,
    ADD COLUMN examined_from DATETIME(3) NULL,
    ADD COLUMN examined_until DATETIME(3) NULL,
    ADD COLUMN examined_user_id BINARY(16) NULL;
