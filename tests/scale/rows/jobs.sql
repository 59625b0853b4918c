-- Published over three years, one after another, so that ids ascend. Cities and organisations are skewed: one has 6 %, one 8 % of all.
-- Salaries are rounded to 500 for four in five. 1 in 16 is a draft, 1 in 16 closed; 5 % have expired and been taken
-- off the lists, 10 % will.
INSERT INTO jobs (id, organisation_id, slug, title, summary, category, category_key, department, department_key, contract_type,
                  city, city_key, salary_min, salary_max, salary_low, salary_high, status, listed, published_at, expires_at, created_at, updated_at)
SELECT STRAIGHT_JOIN
    UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(r.at) * 1000)), 12, '0'), '7', SUBSTR(r.h, 1, 3), '8', SUBSTR(r.h, 4, 15))),
    o.id, CONCAT('job-', r.n), CONCAT('Job ', r.n), 'A summary of some length, as lists show it.',
    c.text, c.text_key, d.text, d.text_key, ELT(1 + r.type, 'PERMANENT', 'FIXED_TERM', 'TEMPORARY', 'CONTRACT', 'APPRENTICESHIP', 'INTERNSHIP'),
    y.text, y.text_key,
    IF(r.pay < 80, r.low, NULL), IF(r.pay BETWEEN 10 AND 89, r.high, NULL),
    IF(r.pay < 90, IF(r.pay < 80, r.low, 0), NULL), IF(r.pay < 90, IF(r.pay < 10, 4294967295, r.high), NULL),
    r.status, r.status = 'PUBLISHED' AND o.published AND r.state >= 5, IF(r.status = 'DRAFT', NULL, r.at),
    CASE WHEN r.state < 5 THEN r.at + INTERVAL FLOOR(TIMESTAMPDIFF(SECOND, r.at, '{now}') * r.share) SECOND
         WHEN r.state < 15 THEN '{now}' + INTERVAL 86400 + FLOOR(89 * 86400 * r.share) SECOND END,
    r.at, r.at
FROM (
    SELECT n, h, at,
        CONV(SUBSTR(h, 1, 3), 16, 10) DIV 205 AS category, CONV(SUBSTR(h, 4, 3), 16, 10) DIV 137 AS department,
        CONV(SUBSTR(h, 7, 2), 16, 10) DIV 43 AS type,
        FLOOR(300 * POW(CONV(SUBSTR(h, 9, 5), 16, 10) / 1048576, 2)) AS city,
        FLOOR(2000 * POW(CONV(SUBSTR(h, 14, 5), 16, 10) / 1048576, 3)) AS organisation,
        18000 + IF(CONV(SUBSTR(h, 19, 1), 16, 10) < 13, 500 * (CONV(SUBSTR(h, 19, 4), 16, 10) % 200),
                   CONV(SUBSTR(h, 19, 5), 16, 10) % 100000) AS low,
        18000 + IF(CONV(SUBSTR(h, 19, 1), 16, 10) < 13, 500 * (CONV(SUBSTR(h, 19, 4), 16, 10) % 200 + CONV(SUBSTR(h, 23, 1), 16, 10) * 2),
                   CONV(SUBSTR(h, 19, 5), 16, 10) % 100000 + CONV(SUBSTR(h, 23, 3), 16, 10)) AS high,
        CONV(SUBSTR(h, 26, 2), 16, 10) * 100 DIV 256 AS state, CONV(SUBSTR(h, 28, 2), 16, 10) * 100 DIV 256 AS pay,
        CONV(SUBSTR(h, 29, 3), 16, 10) / 4096 AS share,
        ELT(1 + LEAST(2, CONV(SUBSTR(h, 32, 1), 16, 10)), 'DRAFT', 'CLOSED', 'PUBLISHED') AS status
    FROM (SELECT seq AS n, MD5(seq) AS h, '{start}' + INTERVAL FLOOR(seq * (94608000000 DIV {jobs})) * 1000 MICROSECOND AS at
          FROM seq_1_to_{jobs} LIMIT {jobs}) s
    LIMIT {jobs}) r
JOIN fixture_words c ON c.kind = 'category' AND c.n = r.category
JOIN fixture_words d ON d.kind = 'department' AND d.n = r.department
JOIN fixture_words y ON y.kind = 'city' AND y.n = r.city
JOIN fixture_organisations o ON o.n = r.organisation;
