-- Links to one thing of a project for people without a key, how often they were followed, and who was mentioned in notes.

CREATE TABLE IF NOT EXISTS shares {on_cluster}
(
    token_hash  String               COMMENT 'sha256 of what the link has, hex',
    share_id    String,
    project     String               COMMENT 'entity/project',
    kind        Enum8('trace' = 1, 'evaluation_run' = 2, 'dashboard' = 3),
    target      String               COMMENT 'id of the trace or of the run''s call; of a dashboard NAME:DIGEST',
    note        String               COMMENT 'for those who made it',
    created_by  String               COMMENT 'name of the user',
    user_id     String,
    created_at  DateTime64(6, 'UTC'),
    expires_at  DateTime64(6, 'UTC'),
    revoked     UInt8,
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (token_hash)
TTL toDateTime(expires_at) + INTERVAL 90 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Counts are added up as parts are merged. They may lose the last seconds of a process that is killed.
CREATE TABLE IF NOT EXISTS share_views {on_cluster}
(
    share_id   String,
    views      SimpleAggregateFunction(sum, UInt64),
    last_view  SimpleAggregateFunction(max, DateTime64(6, 'UTC'))
)
ENGINE = {engine:AggregatingMergeTree}
ORDER BY (share_id)
TTL toDateTime(last_view) + INTERVAL 500 DAY
SETTINGS index_granularity = 256;

CREATE TABLE IF NOT EXISTS mentions {on_cluster}
(
    user_id      String               COMMENT 'who was mentioned',
    mention_id   String               COMMENT 'follows from the note and the user, so that none is there twice',
    project_id   LowCardinality(String),
    call_id      String,
    weave_ref    String               COMMENT 'what the note is about',
    feedback_id  String               COMMENT 'the note; another one once it was edited',
    by_user      String               COMMENT 'name of who wrote it',
    at           DateTime64(6, 'UTC'),
    mail         Enum8('none' = 0, 'waiting' = 1, 'delivered' = 2, 'failed' = 3),
    attempts     UInt16,
    next_at      DateTime64(6, 'UTC'),
    problem      String,
    ver          UInt64               COMMENT '0: as it was made; a retry of the note can''t undo what came of it'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (user_id, mention_id)
TTL toDateTime(at) + INTERVAL 400 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mentions_seen {on_cluster}
(
    user_id  String,
    seen_at  DateTime64(6, 'UTC')  COMMENT 'mentions until then were looked at'
)
ENGINE = {engine:ReplacingMergeTree(seen_at)}
ORDER BY (user_id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
