-- Calls of which several rows may be there: one that replaces or completes another is about to be stored, or was
-- a moment ago. Written before that row, and taken away when the call has been there once for a while. Readers look
-- twice at these calls alone, and count all others as rows.

CREATE TABLE IF NOT EXISTS calls_unsettled {on_cluster}
(
    project_id  LowCardinality(String),
    kind        Enum8('half' = 1, 'whole' = 2)   COMMENT 'what the row that comes completes or replaces',
    id          String                           CODEC(ZSTD(1)),
    ver         UInt64                           COMMENT 'of the row that comes' CODEC(DoubleDelta, ZSTD(1)),
    at          DateTime DEFAULT now()           COMMENT 'by the clock of the store'
)
ENGINE = {engine:MergeTree}
ORDER BY (project_id, kind, id)
TTL at + INTERVAL 1 DAY
SETTINGS index_granularity = 512, enable_block_number_column = 1, enable_block_offset_column = 1,
         fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
