-- A collection's version is the sum of its shards. Every transaction that changes what readers see of it adds one to a shard
-- picked at random, so that writers do not queue for one row and a rolled-back change leaves no trace.
CREATE TABLE IF NOT EXISTS collection_versions (
    collection VARCHAR(16)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    shard      TINYINT UNSIGNED NOT NULL,
    version    BIGINT UNSIGNED  NOT NULL,
    PRIMARY KEY (collection, shard)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
