-- Alerts, what they noticed, notification channels, and who was told by them.

CREATE TABLE IF NOT EXISTS alerts {on_cluster}
(
    project_id  LowCardinality(String),
    name        String,
    definition  String    COMMENT 'JSON, as it was sent',
    muted_until DateTime64(6, 'UTC'),
    deleted     UInt8,
    user_id     String    COMMENT 'who wrote it',
    ver         UInt64    COMMENT 'µs since the epoch'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, name)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS alert_events {on_cluster}
(
    project_id  LowCardinality(String),
    alert       String    COMMENT 'its name',
    id          String    COMMENT 'follows from the event before, so that none is there twice',
    grp         String    COMMENT 'empty: it is not grouped',
    grouping    String    COMMENT 'what the group is one of; a change of it ends the state',
    state       Enum8('ok' = 1, 'no_data' = 2, 'warning' = 3, 'alert' = 4),
    previous    Enum8('ok' = 1, 'no_data' = 2, 'warning' = 3, 'alert' = 4),
    value       Nullable(Float64),
    threshold   Nullable(Float64),
    reason      LowCardinality(String)  COMMENT 'why, if not for the value',
    is_told     UInt8     COMMENT '0: it was muted, or is what was told last',
    channels    Array(LowCardinality(String)),
    text        String    COMMENT 'what is told',
    at          DateTime64(6, 'UTC'),
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, alert, id)
TTL toDateTime(at) + INTERVAL 400 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS alert_deliveries {on_cluster}
(
    project_id  LowCardinality(String),
    alert       String,
    event_id    String,
    channel     String,
    state       Enum8('waiting' = 1, 'delivered' = 2, 'failed' = 3),
    attempts    UInt16,
    next_at     DateTime64(6, 'UTC'),
    problem     String,
    at          DateTime64(6, 'UTC')  COMMENT 'of the event',
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, alert, event_id, channel)
TTL toDateTime(at) + INTERVAL 400 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS notification_channels {on_cluster}
(
    project_id  LowCardinality(String),
    name        String,
    type        LowCardinality(String),
    target      String    COMMENT 'what of it may be shown',
    config      String    COMMENT 'JSON, without what is secret: that is in secrets, as channel.NAME',
    created_at  DateTime64(6, 'UTC'),
    deleted     UInt8,
    user_id     String,
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, name)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
