-- Up to when polls of the organisation's rows are complete. Whoever changes a row afterwards gives it a later updated_at, whatever its own
-- clock says.
ALTER TABLE organisations ADD COLUMN polled_until DATETIME(3) NULL;
