-- What q is matched against: the words of an enquiry as the application encodes them, for its sender and for its recipient.
CREATE TABLE IF NOT EXISTS enquiry_search (
    enquiry_id       BINARY(16) NOT NULL PRIMARY KEY,
    tokens           MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    recipient_tokens MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    CONSTRAINT enquiry_search_enquiry_fk FOREIGN KEY (enquiry_id) REFERENCES enquiries (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
