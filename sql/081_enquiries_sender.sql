-- Deleting a user must not change an enquiry behind its writer's back, which keeps totals and polls right. The service takes the sender off the
-- enquiries before it deletes the user; while it is upgraded, workers of the release before fail to delete an integration that sent some.
ALTER TABLE enquiries
    DROP FOREIGN KEY enquiries_sender_fk,
    ADD CONSTRAINT enquiries_from_user_fk FOREIGN KEY (from_user_id) REFERENCES users (id);
