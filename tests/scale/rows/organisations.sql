-- 2,000 organisations, one in twenty unpublished; two dealers: the first belongs to organisation 0, the second to 0, 1 and 2.
INSERT INTO organisations (id, slug, name, published, created_at, updated_at)
SELECT UNHEX(MD5(CONCAT('organisation ', seq))), CONCAT('organisation-', seq), CONCAT('Organisation ', seq), seq % 20 <> 7, '{start}', '{start}'
FROM seq_0_to_1999;

CREATE TABLE fixture_organisations (n INT NOT NULL PRIMARY KEY, id BINARY(16) NOT NULL, published TINYINT NOT NULL, UNIQUE KEY (id))
SELECT CAST(SUBSTR(slug, 14) AS INT) AS n, id, published FROM organisations;

INSERT INTO users (id, email, email_key, name, created_at, updated_at)
SELECT UNHEX(MD5(CONCAT('user ', seq))), CONCAT('user', seq, '@dealer.example'), CONCAT('user', seq, '@dealer.example'), 'User', '{start}', '{start}'
FROM seq_0_to_99;

INSERT INTO memberships (user_id, organisation_id, role, created_at)
SELECT u.id, o.id, 'ADMIN', '{start}' FROM users u JOIN fixture_organisations o ON o.n = 0 OR (u.email = 'user1@dealer.example' AND o.n < 3)
WHERE u.email IN ('user0@dealer.example', 'user1@dealer.example');

INSERT INTO uploads (id, organisation_id, status, filename, content_type, content_hash, size, width, height, attachments, created_at)
SELECT UNHEX(MD5(CONCAT('upload ', n))), id, 'READY', 'front.jpg', 'image/jpeg', UNHEX(SHA2(n, 256)), 1000, 800, 600, 1, '{start}'
FROM fixture_organisations;
