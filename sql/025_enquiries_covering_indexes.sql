-- The same indexes under their names, with what else may be filtered by behind them.
ALTER TABLE enquiries
    DROP INDEX enquiries_list,
    ADD INDEX enquiries_list (organisation_id, created_at, id, status, type, stock_id, job_id),
    DROP INDEX enquiries_sender,
    ADD INDEX enquiries_sender (from_user_id, created_at, id, status, type, organisation_id, updated_at, stock_id, job_id);
