-- From where a session was used last and by which browser, for the list of one's sessions; when its user last typed the password, if that
-- was after the sign-in.
ALTER TABLE sessions
    ADD COLUMN address      VARCHAR(45)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    ADD COLUMN user_agent   VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    ADD COLUMN confirmed_at DATETIME(3)  NULL;
