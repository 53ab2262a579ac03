-- How long calls are kept, and what was deleted for it. Small tables; policies are read with FINAL.

CREATE TABLE IF NOT EXISTS retention {on_cluster}
(
    scope   String  COMMENT '*, entity, or entity/project; empty: the store as a whole',
    days    UInt32  COMMENT 'calls that began longer ago are deleted; 0: kept for ever',
    bytes   UInt64  COMMENT 'of the empty scope: what the tables may take on a node''s disk; 0: all of it',
    live    UInt8   COMMENT '0: what is said further up holds',
    ver     UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (scope)
SETTINGS fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS retention_runs {on_cluster}
(
    at       DateTime64(6, 'UTC'),
    reason   LowCardinality(String)  COMMENT 'age, or disk',
    before   DateTime64(6, 'UTC')    COMMENT 'the newest that was deleted is older; the epoch: by several policies',
    calls    UInt64,
    seconds  Float64,
    error    String                  COMMENT 'empty: all was deleted'
)
ENGINE = {engine:MergeTree}
ORDER BY (at)
TTL toDateTime(at) + INTERVAL 1 YEAR
SETTINGS fsync_after_insert = 1;
