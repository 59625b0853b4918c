-- Whether an ADMIN of the organisation without a second factor has the rights of a MEMBER only.
ALTER TABLE organisations ADD COLUMN second_factor_required TINYINT(1) NOT NULL DEFAULT 0;
