-- As 022, for the other lists that are counted.
INSERT IGNORE INTO list_counts (list, filter, measure, bucket, shard, n)
    SELECT 'stock_items', REPEAT('\0', 16), 255, 0, 0, 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM stock_items)
    UNION ALL SELECT 'enquiries', REPEAT('\0', 16), 255, 0, 0, 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM enquiries)
    UNION ALL SELECT 'posts', REPEAT('\0', 16), 255, 0, 0, 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM posts)
    UNION ALL SELECT 'events', REPEAT('\0', 16), 255, 0, 0, 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM events);
