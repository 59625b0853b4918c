-- The words of an empty table are complete. Where there are rows already, tradepostctl reindex makes them so.
INSERT IGNORE INTO search_words (list, scheme)
    SELECT 'jobs', 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM jobs)
    UNION ALL SELECT 'events', 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM events)
    UNION ALL SELECT 'posts', 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM posts)
    UNION ALL SELECT 'stock_items', 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM stock_items)
    UNION ALL SELECT 'enquiries', 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM enquiries);
