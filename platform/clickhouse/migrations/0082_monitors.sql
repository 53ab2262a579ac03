-- Monitors: how far calls of a project were looked at, what each monitor matched, and the backfills that were asked for.
-- Rows that were just written are found by `ver`; parts that are there get the index when they are merged.

ALTER TABLE calls {on_cluster} ADD INDEX IF NOT EXISTS by_ver ver TYPE minmax GRANULARITY 1;

CREATE TABLE IF NOT EXISTS monitor_progress {on_cluster}
(
    project_id  LowCardinality(String),
    monitor     String  COMMENT 'name of its object; empty: of the project',
    reached     UInt64  COMMENT 'µs since the epoch: calls stored before were looked at, those of the last seconds once more',
    day         Date    COMMENT 'UTC; of the counts of the day',
    matched     UInt64  COMMENT 'calls, of all days',
    queued      UInt64  COMMENT 'scores of the day that were given to workers',
    skipped     UInt64  COMMENT 'matches of the day that were beyond the limit',
    problem     String  COMMENT 'why it scores nothing; empty: it does',
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, monitor)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS monitor_backfills {on_cluster}
(
    project_id  LowCardinality(String),
    monitor     String,
    state       Enum8('running' = 1, 'paused' = 2, 'done' = 3, 'cancelled' = 4),
    since       DateTime64(6, 'UTC'),
    until       DateTime64(6, 'UTC'),
    at_time     DateTime64(6, 'UTC')  COMMENT 'calls that began later were looked at, the newest first',
    at_id       String                COMMENT 'among those that began then',
    matched     UInt64,
    user_id     String                COMMENT 'who asked for it',
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, monitor)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
