-- What the next daily letter tells a member. Written with the enquiry, removed when the letter is sent.
CREATE TABLE IF NOT EXISTS enquiry_digests (
    user_id         BINARY(16) NOT NULL,
    organisation_id BINARY(16) NOT NULL,
    enquiry_id      BINARY(16) NOT NULL,
    PRIMARY KEY (user_id, organisation_id, enquiry_id),
    KEY enquiry_digests_enquiry (enquiry_id),
    CONSTRAINT enquiry_digests_membership_fk FOREIGN KEY (user_id, organisation_id) REFERENCES memberships (user_id, organisation_id) ON DELETE CASCADE,
    CONSTRAINT enquiry_digests_enquiry_fk FOREIGN KEY (enquiry_id) REFERENCES enquiries (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
