-- Counts that begin with an empty table are complete. Where there are rows already, tradepostctl recount makes them so.
INSERT IGNORE INTO list_counts (list, filter, measure, bucket, shard, n)
    SELECT 'jobs', REPEAT('\0', 16), 255, 0, 0, 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM jobs);
