-- As 085: who changed an item is taken off its history in small transactions, before the user is deleted.
ALTER TABLE record_history
    DROP FOREIGN KEY record_history_user_fk,
    ADD CONSTRAINT record_history_changer_fk FOREIGN KEY (user_id) REFERENCES users (id);
