-- Tokens of completions, apart from their calls, so that lists of calls don't read them; and the projects that keep them.

CREATE TABLE IF NOT EXISTS call_tokens {on_cluster}
(
    project_id   LowCardinality(String),
    call_id      String                  CODEC(ZSTD(1)),
    vocabulary   LowCardinality(String)  COMMENT 'names what the ids mean; empty: the node did not say',
    prompt       Array(UInt32)           CODEC(ZSTD(3)),
    completions  Array(Array(UInt32))    COMMENT 'of each choice' CODEC(ZSTD(3)),
    created_at   DateTime64(6, 'UTC')    CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:ReplacingMergeTree(created_at)}
ORDER BY (project_id, call_id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS project_token_ids {on_cluster}
(
    project  String  COMMENT 'entity/project',
    keep     UInt8,
    ver      UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
