-- The names that users gave calls lately: a call that is sent again gets its name again.

CREATE TABLE IF NOT EXISTS call_names {on_cluster}
(
    project_id  LowCardinality(String),
    id          String                           COMMENT 'of the call',
    name        String                           COMMENT 'empty: it was taken away',
    ver         UInt64                           COMMENT 'µs since the epoch' CODEC(DoubleDelta, ZSTD(1)),
    at          DateTime DEFAULT now()           COMMENT 'by the clock of the store'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, id)
TTL at + INTERVAL 1 DAY
SETTINGS index_granularity = 512,
         fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
