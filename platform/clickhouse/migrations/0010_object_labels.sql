-- Tags and aliases of object versions: the newest row of a name decides. What was set before a version's deletion does
-- not hold any more, so deleting a version writes nothing here.

CREATE TABLE IF NOT EXISTS object_tags {on_cluster}
(
    project_id  LowCardinality(String),
    object_id   String,
    digest      String,
    tag         String,
    live        UInt8   COMMENT '0: removed',
    user_id     LowCardinality(String),
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, object_id, digest, tag)
SETTINGS index_granularity = 1024, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS object_aliases {on_cluster}
(
    project_id  LowCardinality(String),
    object_id   String,
    alias       String,
    digest      String  COMMENT 'empty: removed',
    user_id     LowCardinality(String),
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, object_id, alias)
SETTINGS index_granularity = 1024, fsync_after_insert = 1;
