-- Rules by which texts are masked before they are stored, a set for each scope, and how often they have.

CREATE TABLE IF NOT EXISTS mask_rules {on_cluster}
(
    scope      String  COMMENT '*, an entity, or entity/project',
    rules      String  COMMENT 'JSON',
    salt       String  COMMENT 'random, made once for a scope: hashes of equal texts are equal within it',
    user_id    String,
    deleted    UInt8,
    changed_at DateTime64(6, 'UTC'),
    ver        UInt64  COMMENT 'µs since the epoch'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (scope)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Each process writes what it has counted so far that day; the last row of a process is the one that counts.
CREATE TABLE IF NOT EXISTS mask_counts {on_cluster}
(
    day        Date,
    process    String                  COMMENT 'a name that the process made up at its start',
    project_id LowCardinality(String)  COMMENT 'empty: of none',
    scope      LowCardinality(String)  COMMENT 'of the rule',
    rule       LowCardinality(String),
    matches    UInt64,
    ver        UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (day, project_id, scope, rule, process)
TTL day + INTERVAL 400 DAY
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
