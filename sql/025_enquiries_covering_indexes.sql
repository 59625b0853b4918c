-- The same indexes under their names, with what else may be filtered by behind them. Nothing that an update changes may stand in a
-- sender's: the update would then lock the user, whom polls hold locked (see fcgi-app/repo/polling.h).
ALTER TABLE enquiries
    DROP INDEX enquiries_list,
    ADD INDEX enquiries_list (organisation_id, created_at, id, status, type, stock_id, job_id),
    DROP INDEX enquiries_sender,
    ADD INDEX enquiries_sender (from_user_id, created_at, id, organisation_id, type, stock_id, job_id);
