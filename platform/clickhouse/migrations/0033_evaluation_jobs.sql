-- Evaluations and scoring that the server was asked to run. What they have come to is in the calls they write; here is
-- what they have to do, so that nothing is lost with a queue. Small: a job that is done goes after a week.

CREATE TABLE IF NOT EXISTS evaluation_jobs {on_cluster}
(
    project_id  String,
    id          String               COMMENT 'of an evaluation: the id of its root call',
    project     String               COMMENT 'entity/project',
    user_id     String,
    username    String,
    plan        String               COMMENT 'JSON text of what is to be done, its objects as they were when it was asked for' CODEC(ZSTD(1)),
    done        UInt8,
    created_at  DateTime64(6, 'UTC'),
    ver         UInt64,
    expire_at   DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, id)
TTL expire_at
SETTINGS index_granularity = 256, fsync_after_insert = 1;
