-- The same index under its name, with the category behind it: both filters together then read the index alone.
ALTER TABLE events
    DROP INDEX events_city,
    ADD INDEX events_city (listed, city_key, starts_at, id, over_at, published_at, category_key);
