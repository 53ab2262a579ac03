-- Who did what: lines are only added. Each process writes a chain of its own, in which a line has the hash of the one
-- before. Nothing of Heddle changes or deletes a line: no TTL, no retention.

CREATE TABLE IF NOT EXISTS audit {on_cluster}
(
    chain          String                  COMMENT 'of the process that wrote it; made from the time of its start',
    seq            UInt64                  COMMENT 'within the chain, from 1',
    at             DateTime64(6, 'UTC')    COMMENT 'when the line was written',
    began_at       DateTime64(6, 'UTC')    COMMENT 'when what it tells of began',
    phase          LowCardinality(String)  COMMENT 'heads, begin, end, done, refused, counted',
    id             String                  COMMENT 'of what it tells of: its begin and its end share it',
    request_id     String                  COMMENT 'x-request-id',
    action         LowCardinality(String)  COMMENT 'a route''s id, or a command',
    category       LowCardinality(String),
    user_id        String,
    username       String,
    key_id         String,
    remote_address String,
    forwarded_for  String                  COMMENT 'what proxies said; callers can make it up',
    entity         String,
    project        String                  COMMENT 'entity/project',
    target         String                  COMMENT 'JSON',
    status         UInt16                  COMMENT '0: not known yet',
    error_code     LowCardinality(String),
    prev_hash      String                  COMMENT 'of the line before',
    hash           String                  COMMENT 'sha256 of all other columns, hex',
    INDEX by_time began_at TYPE minmax GRANULARITY 1,
    INDEX by_written at TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (chain, seq)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- How far each chain was sent to the operator's webhook.
CREATE TABLE IF NOT EXISTS audit_cursors {on_cluster}
(
    chain  String,
    seq    UInt64  COMMENT 'of the last line that arrived',
    ver    UInt64  COMMENT 'µs since the epoch'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (chain)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
