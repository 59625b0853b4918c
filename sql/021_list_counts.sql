-- How many rows the lists' filters find: a filter's count is the sum of its shards. Every transaction that changes what a filter finds
-- adds to one shard, so that writers do not queue for one row and a rolled-back change leaves no trace. filter names the values that
-- are asked for, measure and bucket of what these are the rows: all of them, or those of one bucket of a histogram.
CREATE TABLE IF NOT EXISTS list_counts (
    list    VARCHAR(16)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    filter  BINARY(16)       NOT NULL,
    measure TINYINT UNSIGNED NOT NULL,
    bucket  BIGINT UNSIGNED  NOT NULL,
    shard   TINYINT UNSIGNED NOT NULL,
    n       BIGINT           NOT NULL,
    PRIMARY KEY (list, filter, measure, bucket, shard)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
