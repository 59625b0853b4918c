-- As 085: a user may have made any number of uploads.
ALTER TABLE uploads
    DROP FOREIGN KEY uploads_user_fk,
    ADD INDEX uploads_user (user_id),
    ADD CONSTRAINT uploads_maker_fk FOREIGN KEY (user_id) REFERENCES users (id);
