-- How many bodies of a ticket were no picture that can be decoded: each try is expensive, and the third spends the ticket.
ALTER TABLE uploads ADD COLUMN failed_decodes TINYINT UNSIGNED NOT NULL DEFAULT 0;
