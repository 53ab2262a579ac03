-- Versioned objects and content-addressed files. An object's version index is not stored: it is the rank of its
-- digest by first creation under its object id, so no writer has to win a counter.

CREATE TABLE IF NOT EXISTS objects {on_cluster}
(
    project_id     LowCardinality(String),
    object_id      String                 CODEC(ZSTD(1)),
    digest         String                 CODEC(ZSTD(1)),
    kind           Enum8('object' = 1, 'op' = 2),
    base_class     LowCardinality(String) COMMENT 'empty: none',
    leaf_class     LowCardinality(String) COMMENT 'empty: none',
    val            String                 CODEC(ZSTD(1)) COMMENT 'JSON text, refs in internal form',
    bytes          UInt64                 CODEC(ZSTD(1)),
    user_id        LowCardinality(String),
    created_at     DateTime64(6, 'UTC')   CODEC(Delta, ZSTD(1)) COMMENT 'when this digest was written, each time it was',
    deleted_at     DateTime64(6, 'UTC')   CODEC(Delta, ZSTD(1)) COMMENT 'epoch: live',
    ver            UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    expire_at      DateTime DEFAULT toDateTime(4294967295) CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (project_id, object_id, digest, ver)
TTL expire_at
SETTINGS index_granularity = 1024, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS files {on_cluster}
(
    project_id  LowCardinality(String),
    digest      String               CODEC(ZSTD(1)),
    chunk       UInt32               COMMENT 'position of this piece of the content',
    chunks      UInt32               COMMENT 'how many pieces the content has',
    name        String               CODEC(ZSTD(1)),
    content     String               CODEC(ZSTD(1)),
    bytes       UInt64               COMMENT 'size of the whole content',
    created_at  DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    ver         UInt64               CODEC(DoubleDelta, ZSTD(1)),
    expire_at   DateTime DEFAULT toDateTime(4294967295) CODEC(ZSTD(1))
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, digest, chunk)
TTL expire_at
SETTINGS index_granularity = 16, fsync_after_insert = 1;
