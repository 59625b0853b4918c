-- What q is matched against: the words of title, summary and description as the application encodes them.
CREATE TABLE IF NOT EXISTS event_search (
    event_id BINARY(16) NOT NULL PRIMARY KEY,
    tokens MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    FULLTEXT KEY event_search_tokens (tokens),
    CONSTRAINT event_search_event_fk FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
