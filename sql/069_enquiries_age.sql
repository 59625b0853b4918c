ALTER TABLE enquiries ADD INDEX enquiries_age (created_at);
