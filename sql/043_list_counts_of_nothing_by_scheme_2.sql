-- As 022 and 024, by the next scheme. Where there are rows already, tradepostctl recount stores its number.
INSERT INTO list_counts (list, filter, measure, bucket, shard, n)
    SELECT 'jobs', REPEAT('\0', 16), 255, 0, 0, 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM jobs)
    UNION ALL SELECT 'stock_items', REPEAT('\0', 16), 255, 0, 0, 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM stock_items)
    UNION ALL SELECT 'enquiries', REPEAT('\0', 16), 255, 0, 0, 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM enquiries)
    UNION ALL SELECT 'posts', REPEAT('\0', 16), 255, 0, 0, 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM posts)
    UNION ALL SELECT 'events', REPEAT('\0', 16), 255, 0, 0, 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM events)
    ON DUPLICATE KEY UPDATE n = VALUES(n);
