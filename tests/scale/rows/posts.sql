-- One or two of 40 tags, skewed. 1 in 16 is unpublished, 1 in 4,096 will be published, 1 in 2 is the marketplace's own.
INSERT INTO posts (id, organisation_id, slug, title, summary, tags, author_name, listed, published_at, created_at, updated_at)
SELECT STRAIGHT_JOIN
    UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(r.at) * 1000)), 12, '0'), '7', SUBSTR(r.h, 1, 3), 'b', SUBSTR(r.h, 4, 15))),
    IF(r.own, NULL, o.id), CONCAT('post-', r.n), CONCAT('Post ', r.n), 'A summary of some length, as lists show it.',
    IF(r.tag = r.second_tag, CONCAT('["', a.text, '"]'), CONCAT('["', a.text, '","', b.text, '"]')), 'Author',
    r.state > 0 AND (r.own OR o.published), IF(r.state = 0, NULL, IF(r.state = 1, '{now}' + INTERVAL 86400 + r.n % 8640000 SECOND, r.at)), r.at, r.at
FROM (
    SELECT n, h, at, FLOOR(2000 * POW(CONV(SUBSTR(h, 1, 5), 16, 10) / 1048576, 3)) AS organisation, CONV(SUBSTR(h, 6, 1), 16, 10) < 8 AS own,
        FLOOR(40 * POW(CONV(SUBSTR(h, 7, 5), 16, 10) / 1048576, 2)) AS tag, FLOOR(40 * POW(CONV(SUBSTR(h, 12, 5), 16, 10) / 1048576, 2)) AS second_tag,
        IF(CONV(SUBSTR(h, 17, 1), 16, 10) = 0, 0, IF(CONV(SUBSTR(h, 18, 3), 16, 10) = 0, 1, 2)) AS state
    FROM (SELECT seq AS n, MD5(CONCAT('p', seq)) AS h, '{start}' + INTERVAL FLOOR(seq * (94608000000 DIV {rows})) * 1000 MICROSECOND AS at
          FROM seq_1_to_{rows} LIMIT {rows}) s
    LIMIT {rows}) r
JOIN fixture_organisations o ON o.n = r.organisation
JOIN fixture_words a ON a.kind = 'tag' AND a.n = r.tag
JOIN fixture_words b ON b.kind = 'tag' AND b.n = r.second_tag;

INSERT INTO post_tags (post_id, tag_key, listed, published_at)
SELECT STRAIGHT_JOIN p.id, w.text_key, p.listed, p.published_at
FROM (SELECT id, listed, published_at, CAST(SUBSTR(SUBSTRING_INDEX(tags, '"', 2), 7) AS INT) AS tag FROM posts
      UNION ALL
      SELECT id, listed, published_at, CAST(SUBSTR(SUBSTRING_INDEX(SUBSTRING_INDEX(tags, '"', -2), '"', 1), 5) AS INT) FROM posts WHERE tags LIKE '%,%') p
JOIN fixture_words w ON w.kind = 'tag' AND w.n = p.tag;
