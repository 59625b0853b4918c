-- The same indexes under their names, with what else may be filtered by behind them: pairs of filters then read the index alone.
ALTER TABLE jobs
    DROP INDEX jobs_organisation,
    ADD INDEX jobs_organisation (organisation_id, published_at, id, status, listed, expires_at, city_key, category_key, department_key, contract_type, salary_low, salary_high),
    DROP INDEX jobs_city,
    ADD INDEX jobs_city (listed, city_key, published_at, id, expires_at, category_key, department_key, contract_type, salary_low, salary_high),
    DROP INDEX jobs_category,
    ADD INDEX jobs_category (listed, category_key, published_at, id, expires_at, department_key, contract_type, salary_low, salary_high),
    DROP INDEX jobs_department,
    ADD INDEX jobs_department (listed, department_key, published_at, id, expires_at, contract_type, salary_low, salary_high),
    DROP INDEX jobs_contract_type,
    ADD INDEX jobs_contract_type (listed, contract_type, published_at, id, expires_at, salary_low, salary_high);
