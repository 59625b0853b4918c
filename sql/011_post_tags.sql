-- One row a tag that differs after folding; listed and published_at repeat the post's, so that one index serves a tag's list.
CREATE TABLE IF NOT EXISTS post_tags (
    post_id      BINARY(16)  NOT NULL,
    tag_key      BINARY(16)  NOT NULL,
    listed       TINYINT(1)  NOT NULL,
    published_at DATETIME(3) NULL,
    PRIMARY KEY (post_id, tag_key),
    KEY post_tags_tag (listed, tag_key, published_at, post_id),
    CONSTRAINT post_tags_post_fk FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
