-- As 047, by the next encoding, which splits Thai, Lao, Khmer and Burmese. Where there are rows already, tradepostctl reindex stores its number.
INSERT INTO search_words (list, scheme)
    SELECT 'jobs', 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM jobs)
    UNION ALL SELECT 'events', 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM events)
    UNION ALL SELECT 'posts', 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM posts)
    UNION ALL SELECT 'stock_items', 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM stock_items)
    UNION ALL SELECT 'enquiries', 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM enquiries)
    ON DUPLICATE KEY UPDATE scheme = VALUES(scheme);
