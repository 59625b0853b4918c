-- A failed sign-in takes as long as the most expensive hash: one row for each form of hashes is found by this.
ALTER TABLE users ADD INDEX users_password_hash (password_hash);
