-- Rows of calls that were taken away because another one, which begins at another time, took their place. A list of
-- several statements asks it for calls that changed their place in the list meanwhile. Written before the row goes.

CREATE TABLE IF NOT EXISTS calls_moved {on_cluster}
(
    project_id  LowCardinality(String),
    id          String                           CODEC(ZSTD(1)),
    ver         UInt64                           COMMENT 'of the row that goes' CODEC(DoubleDelta, ZSTD(1)),
    started     Int64                            COMMENT 'when it says that the call began: µs since the epoch' CODEC(DoubleDelta, ZSTD(1)),
    at          DateTime DEFAULT now()           COMMENT 'by the clock of the store'
)
ENGINE = {engine:MergeTree}
ORDER BY (project_id, at)
TTL at + INTERVAL 1 DAY
SETTINGS index_granularity = 512,
         fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
