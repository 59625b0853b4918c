-- 8 % are organisation 0's. The newest have an image each.
INSERT INTO stock_items (id, organisation_id, reference, title, attributes, price, currency, status, availability, created_at, updated_at)
SELECT STRAIGHT_JOIN
    UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(r.at) * 1000)), 12, '0'), '7', SUBSTR(r.h, 1, 3), '9', SUBSTR(r.h, 4, 15))),
    o.id, CONCAT('R-', r.n), CONCAT('Item ', r.n), '{}', 100000, 'GBP',
    ELT(1 + CONV(SUBSTR(r.h, 6, 1), 16, 10) DIV 6, 'PUBLISHED', 'DRAFT', 'ARCHIVED'),
    ELT(1 + CONV(SUBSTR(r.h, 7, 1), 16, 10) DIV 4, 'IN_STOCK', 'DUE_IN', 'RESERVED', 'SOLD'),
    r.at, r.at + INTERVAL FLOOR(TIMESTAMPDIFF(SECOND, r.at, '{now}') * CONV(SUBSTR(r.h, 8, 4), 16, 10) / 65536) SECOND
FROM (
    SELECT n, h, at, FLOOR(2000 * POW(CONV(SUBSTR(h, 1, 5), 16, 10) / 1048576, 3)) AS organisation
    FROM (SELECT seq AS n, MD5(CONCAT('s', seq)) AS h, '{start}' + INTERVAL FLOOR(seq * (94608000000 DIV {rows})) * 1000 MICROSECOND AS at
          FROM seq_1_to_{rows} LIMIT {rows}) s
    LIMIT {rows}) r
JOIN fixture_organisations o ON o.n = r.organisation;

INSERT INTO stock_images (stock_id, position, upload_id)
SELECT t.id, 0, UNHEX(MD5(CONCAT('upload ', o.n))) FROM (SELECT id, organisation_id FROM stock_items ORDER BY id DESC LIMIT 2000) t
JOIN fixture_organisations o ON o.id = t.organisation_id;
