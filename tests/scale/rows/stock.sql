-- 8 % are organisation 0's. The newest have an image each, 1 in 16 has no price, and as many have no year.
INSERT INTO stock_items (id, organisation_id, reference, title, attributes, category, category_key, make, make_key, model, model_key,
                         item_condition, price, price_up, year, year_up, currency, status, availability, created_at, updated_at)
SELECT STRAIGHT_JOIN
    UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(r.at) * 1000)), 12, '0'), '7', SUBSTR(r.h, 1, 3), '9', SUBSTR(r.h, 4, 15))),
    o.id, CONCAT('R-', r.n), CONCAT('Item ', r.n), '{}', c.text, c.text_key, m.text, m.text_key, d.text, d.text_key,
    ELT(1 + CONV(SUBSTR(r.h, 12, 1), 16, 10) DIV 6, 'USED', 'NEW', 'REFURBISHED'), r.price, -r.price, r.year, -r.year, 'GBP',
    ELT(1 + CONV(SUBSTR(r.h, 6, 1), 16, 10) DIV 6, 'PUBLISHED', 'DRAFT', 'ARCHIVED'),
    ELT(1 + CONV(SUBSTR(r.h, 7, 1), 16, 10) DIV 4, 'IN_STOCK', 'DUE_IN', 'RESERVED', 'SOLD'),
    r.at, r.at + INTERVAL FLOOR(TIMESTAMPDIFF(SECOND, r.at, '{now}') * CONV(SUBSTR(r.h, 8, 4), 16, 10) / 65536) SECOND
FROM (
    SELECT n, h, at, FLOOR(2000 * POW(CONV(SUBSTR(h, 1, 5), 16, 10) / 1048576, 3)) AS organisation,
        CONV(SUBSTR(h, 13, 3), 16, 10) DIV 205 AS category, CONV(SUBSTR(h, 16, 3), 16, 10) DIV 205 AS make,
        CONV(SUBSTR(h, 19, 3), 16, 10) DIV 21 AS model,
        CAST(IF(SUBSTR(h, 22, 1) = '0', NULL, 100 * CONV(SUBSTR(h, 23, 5), 16, 10)) AS SIGNED) AS price,
        CAST(IF(SUBSTR(h, 28, 1) = '0', NULL, 1990 + CONV(SUBSTR(h, 29, 3), 16, 10) DIV 120) AS SIGNED) AS year
    FROM (SELECT seq AS n, MD5(CONCAT('s', seq)) AS h, '{start}' + INTERVAL FLOOR(seq * (94608000000 DIV {rows})) * 1000 MICROSECOND AS at
          FROM seq_1_to_{rows} LIMIT {rows}) s
    LIMIT {rows}) r
JOIN fixture_words c ON c.kind = 'category' AND c.n = r.category
JOIN fixture_words m ON m.kind = 'make' AND m.n = r.make
JOIN fixture_words d ON d.kind = 'model' AND d.n = r.model
JOIN fixture_organisations o ON o.n = r.organisation;

INSERT INTO stock_images (stock_id, position, upload_id)
SELECT t.id, 0, UNHEX(MD5(CONCAT('upload ', o.n))) FROM (SELECT id, organisation_id FROM stock_items ORDER BY id DESC LIMIT 2000) t
JOIN fixture_organisations o ON o.id = t.organisation_id;

UPDATE stock_items SET has_images = 1 WHERE id IN (SELECT stock_id FROM stock_images);
