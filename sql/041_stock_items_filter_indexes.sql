-- Behind the order stands what else may be filtered by, so that such a list reads an index alone. The last four are for sorting and are
-- short: each write of an item has to keep all of them.
ALTER TABLE stock_items
    DROP INDEX stock_items_list,
    ADD INDEX stock_items_list (organisation_id, created_at, id, status, availability, item_condition, has_images, price, year),
    ADD INDEX stock_items_category (organisation_id, category_key, created_at, id, status, availability, item_condition, has_images, price, year),
    ADD INDEX stock_items_make (organisation_id, make_key, created_at, id, status, availability, item_condition, has_images, price, year, category_key),
    ADD INDEX stock_items_model (organisation_id, model_key, created_at, id, status, availability, item_condition, has_images, price, year, category_key, make_key),
    ADD INDEX stock_items_price (organisation_id, price, id),
    ADD INDEX stock_items_price_up (organisation_id, price_up, id),
    ADD INDEX stock_items_year (organisation_id, year, id),
    ADD INDEX stock_items_year_up (organisation_id, year_up, id);
