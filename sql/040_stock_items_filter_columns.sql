-- The *_key columns hold the folded text that filters compare, as in jobs. price_up and year_up are the negatives of price and year: an
-- index reads the cheapest item first by them, and of equally cheap ones the greatest id first. `recount` fills in rows of before.
ALTER TABLE stock_items
    ADD COLUMN category_key BINARY(16) NULL,
    ADD COLUMN make_key BINARY(16) NULL,
    ADD COLUMN model_key BINARY(16) NULL,
    ADD COLUMN has_images TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN price_up BIGINT NULL,
    ADD COLUMN year_up SMALLINT NULL;
