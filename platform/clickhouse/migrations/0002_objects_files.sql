-- Versioned objects and content-addressed files. A version is made by its digest, so writing it again changes
-- nothing but what is `latest`: rows of one version fold into one, here and in every read. Its index is not stored:
-- it is the rank of its digest by first creation under its object id, so no writer has to win a counter.

CREATE TABLE IF NOT EXISTS objects {on_cluster}
(
    project_id   LowCardinality(String),
    object_id    String CODEC(ZSTD(1)),
    digest       String CODEC(ZSTD(1)),
    kind         SimpleAggregateFunction(max, Enum8('object' = 1, 'op' = 2)),
    base_class   SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'empty: none',
    leaf_class   SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'empty: none',
    val          SimpleAggregateFunction(max, String) COMMENT 'JSON text, refs in internal form; empty: another row has it' CODEC(ZSTD(1)),
    bytes        SimpleAggregateFunction(max, UInt64) CODEC(ZSTD(1)),
    created      SimpleAggregateFunction(min, Tuple(at DateTime64(6, 'UTC'), by String))
                 DEFAULT (toDateTime64('2299-01-01 00:00:00', 6, 'UTC'), '') COMMENT 'when and by whom first' CODEC(ZSTD(1)),
    written_ver  SimpleAggregateFunction(max, UInt64) COMMENT 'µs since the epoch of the last creation; the newest live one is latest' CODEC(ZSTD(1)),
    deleted_ver  SimpleAggregateFunction(max, UInt64) COMMENT 'µs since the epoch of the last deletion; live if older than written_ver' CODEC(ZSTD(1)),
    expire_at    SimpleAggregateFunction(max, DateTime) DEFAULT toDateTime(4294967295) CODEC(ZSTD(1))
)
ENGINE = {engine:AggregatingMergeTree}
ORDER BY (project_id, object_id, digest)
TTL expire_at
SETTINGS index_granularity = 64, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS files {on_cluster}
(
    project_id  LowCardinality(String),
    digest      String               CODEC(ZSTD(1)),
    chunk       UInt32               COMMENT 'position of this piece of the content',
    chunks      UInt32               COMMENT 'how many pieces the content has; 0: it lies with the artifacts',
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
