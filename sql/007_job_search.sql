-- What q is matched against: the words of title, summary and description as the application encodes them.
CREATE TABLE IF NOT EXISTS job_search (
    job_id BINARY(16) NOT NULL PRIMARY KEY,
    tokens MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    FULLTEXT KEY job_search_tokens (tokens),
    CONSTRAINT job_search_job_fk FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
