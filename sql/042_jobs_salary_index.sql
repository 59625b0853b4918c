-- Jobs by salary, the best paid first.
ALTER TABLE jobs ADD INDEX jobs_salary_high (listed, salary_high, id, expires_at);
