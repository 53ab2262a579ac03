-- What rules did: each action of each match is a row, which says what is to be done until it is done.

CREATE TABLE IF NOT EXISTS rule_runs {on_cluster}
(
    project_id  LowCardinality(String),
    rule        String    COMMENT 'its name',
    id          String    COMMENT 'of the match and the position of the action: it follows from what happened, so that none is there twice',
    match_id    String    COMMENT 'the actions of a match have it in common',
    ref         String    COMMENT 'of the version of the rule',
    subject     String    COMMENT 'JSON: what happened',
    matched_at  DateTime64(6, 'UTC'),
    position    UInt8     COMMENT 'of the action in the rule',
    type        LowCardinality(String),
    action      String    COMMENT 'JSON, as the version has it',
    chain       Array(LowCardinality(String))  COMMENT 'rules that led to it, the first one first',
    state       Enum8('waiting' = 1, 'done' = 2, 'failed' = 3, 'cut' = 4),
    attempts    UInt16,
    next_at     DateTime64(6, 'UTC'),
    result      String    COMMENT 'what it made',
    made        String    COMMENT 'the same, as what happens because of it is called; empty: nothing that rules hear of',
    problem     String,
    ver         UInt64    COMMENT 'µs since the epoch'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, rule, id)
TTL toDateTime(matched_at) + INTERVAL 90 DAY
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS rule_progress {on_cluster}
(
    project_id  LowCardinality(String),
    rule        String    COMMENT 'empty: of the project',
    reached     UInt64    COMMENT 'of a project: what was stored until then (µs) was looked at',
    day         Date,
    today       UInt64    COMMENT 'matches of the day',
    skipped     UInt64    COMMENT 'matches of the day beyond its limit',
    matched     UInt64,
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, rule)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
