ALTER TABLE uploads ADD INDEX uploads_list (organisation_id, created_at, id, status);
