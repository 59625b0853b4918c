-- From three years ago until half a year from now; one in two lasts some hours, some days. 1 in 16 is unpublished, 1 in 4,096 will be published.
INSERT INTO events (id, organisation_id, slug, title, summary, category, category_key, starts_at, ends_at, over_at, city, city_key, status, listed,
                    published_at, created_at, updated_at)
SELECT STRAIGHT_JOIN
    UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(r.at) * 1000)), 12, '0'), '7', SUBSTR(r.h, 1, 3), 'a', SUBSTR(r.h, 4, 15))),
    o.id, CONCAT('event-', r.n), CONCAT('Event ', r.n), 'A summary of some length, as lists show it.', c.text, c.text_key,
    r.starts, r.ends, COALESCE(r.ends, r.starts), y.text, y.text_key, 'SCHEDULED',
    r.state > 0 AND o.published, IF(r.state = 0, NULL, IF(r.state = 1, '{now}' + INTERVAL 86400 + r.n % 8640000 SECOND, LEAST(r.at, '{now}'))), r.at, r.at
FROM (
    SELECT n, h, at, at + INTERVAL 15768000 SECOND AS starts,
        IF(CONV(SUBSTR(h, 1, 1), 16, 10) < 8, at + INTERVAL 15768000 + 3600 * (1 + CONV(SUBSTR(h, 2, 2), 16, 10) % 60) SECOND, NULL) AS ends,
        FLOOR(2000 * POW(CONV(SUBSTR(h, 4, 5), 16, 10) / 1048576, 3)) AS organisation, CONV(SUBSTR(h, 9, 3), 16, 10) DIV 205 AS category,
        FLOOR(300 * POW(CONV(SUBSTR(h, 12, 5), 16, 10) / 1048576, 2)) AS city,
        IF(CONV(SUBSTR(h, 17, 1), 16, 10) = 0, 0, IF(CONV(SUBSTR(h, 18, 3), 16, 10) = 0, 1, 2)) AS state
    FROM (SELECT seq AS n, MD5(CONCAT('e', seq)) AS h, '{start}' + INTERVAL FLOOR(seq * (94608000000 DIV {rows})) * 1000 MICROSECOND AS at
          FROM seq_1_to_{rows} LIMIT {rows}) s
    LIMIT {rows}) r
JOIN fixture_words c ON c.kind = 'category' AND c.n = r.category
JOIN fixture_words y ON y.kind = 'city' AND y.n = r.city
JOIN fixture_organisations o ON o.n = r.organisation;
