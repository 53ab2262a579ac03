-- Batches of chat completions: their files, what they are at, and the result of each line. A batch's row is written by
-- decisions with one winner (a lease; the fence is the version). A line that is answered twice is one row.

CREATE TABLE IF NOT EXISTS batch_files {on_cluster}
(
    owner       String               COMMENT 'hash of the rights of the keys that may see it',
    id          String,
    key_id      String               COMMENT 'the key whose limits it counts against',
    filename    String,
    bytes       UInt64,
    batch_id    String               COMMENT 'its content are lines of batch_results; empty: it was uploaded',
    failed      UInt8                COMMENT 'which lines of them',
    created_at  UInt32               COMMENT 'Unix seconds',
    expires_at  UInt32               COMMENT 'Unix seconds',
    deleted     UInt8,
    ver         UInt64,
    expire_at   DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (owner, id)
TTL expire_at
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS batches {on_cluster}
(
    owner           String,
    id              String               COMMENT 'batch_ and a UUIDv7',
    key_id          String               COMMENT 'the key with whose rights its lines run',
    endpoint        LowCardinality(String),
    input_file_id   String,
    metadata        String               COMMENT 'JSON; empty: none',
    status          LowCardinality(String),
    errors          String               COMMENT 'JSON list: why the whole batch failed; empty: it did not',
    total           UInt32               COMMENT 'lines; 0: not counted yet',
    completed       UInt32               COMMENT 'lines, once it has ended',
    failed          UInt32               COMMENT 'lines, once it has ended',
    output_file_id  String,
    error_file_id   String,
    output_seconds  UInt32               COMMENT 'how long its result files are kept',
    created_at      UInt32               COMMENT 'Unix seconds, as all that follow; 0: not yet',
    in_progress_at  UInt32,
    expires_at      UInt32,
    cancelling_at   UInt32,
    ended_at        UInt32,
    ver             UInt64,
    expire_at       DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (owner, id)
TTL expire_at
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS batch_results {on_cluster}
(
    batch_id   String,
    line       UInt32               COMMENT 'of the input file, from 1',
    failed     UInt8,
    text       String               COMMENT 'JSON: the line of the output file, or of the errors file' CODEC(ZSTD(1)),
    ver        UInt64,
    expire_at  DateTime
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (batch_id, line)
TTL expire_at
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
