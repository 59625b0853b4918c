-- What q is matched against: the words of title, summary and body as the application encodes them.
CREATE TABLE IF NOT EXISTS post_search (
    post_id BINARY(16) NOT NULL PRIMARY KEY,
    tokens MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    FULLTEXT KEY post_search_tokens (tokens),
    CONSTRAINT post_search_post_fk FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
