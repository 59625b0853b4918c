-- 8 % go to organisation 0, 1 % are sent by each of 100 users. About stock, jobs or nothing; one of 200 items has 1 in 2,000.
INSERT INTO enquiries (id, organisation_id, type, stock_id, job_id, from_user_id, name, email, message, status, created_at, updated_at)
SELECT STRAIGHT_JOIN
    UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(r.at) * 1000)), 12, '0'), '7', SUBSTR(r.h, 1, 3), 'a', SUBSTR(r.h, 4, 15))),
    o.id, ELT(1 + r.type, 'STOCK', 'JOB', 'GENERAL'), IF(r.type = 0, UNHEX(MD5(CONCAT('item ', r.target))), NULL),
    IF(r.type = 1, UNHEX(MD5(CONCAT('job ', r.target))), NULL), UNHEX(MD5(CONCAT('user ', r.sender))), 'Name', 'name@buyer.example', 'Is it still there?',
    ELT(1 + CONV(SUBSTR(r.h, 17, 1), 16, 10) DIV 4, 'NEW', 'READ', 'REPLIED', 'CLOSED'),
    r.at, r.at + INTERVAL FLOOR(TIMESTAMPDIFF(SECOND, r.at, '{now}') * CONV(SUBSTR(r.h, 18, 4), 16, 10) / 65536) SECOND
FROM (
    SELECT n, h, at, FLOOR(2000 * POW(CONV(SUBSTR(h, 1, 5), 16, 10) / 1048576, 3)) AS organisation, CONV(SUBSTR(h, 6, 1), 16, 10) DIV 6 AS type,
        CONV(SUBSTR(h, 7, 5), 16, 10) % 200 AS target, CONV(SUBSTR(h, 12, 5), 16, 10) % 100 AS sender
    FROM (SELECT seq AS n, MD5(CONCAT('q', seq)) AS h, '{start}' + INTERVAL FLOOR(seq * (94608000000 DIV {rows})) * 1000 MICROSECOND AS at
          FROM seq_1_to_{rows} LIMIT {rows}) s
    LIMIT {rows}) r
JOIN fixture_organisations o ON o.n = r.organisation;
