-- How many events an organisation has, and the oldest of them ([limits] organisation_audit_rows).
ALTER TABLE audit_log ADD INDEX audit_log_organisation (organisation_id, happened_at);
