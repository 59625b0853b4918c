-- What an enquiry was about when it was sent: its sender goes on seeing this, and the recipient does once the item or the job is deleted.
ALTER TABLE enquiries ADD COLUMN target_title VARCHAR(150) NULL, ADD COLUMN target_reference VARBINARY(256) NULL;
