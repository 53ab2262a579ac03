-- Feedback on calls and other refs. A purge writes the row again as deleted, so every change is an insert; reads use
-- FINAL, which the key keeps to the rows of the refs asked for.

CREATE TABLE IF NOT EXISTS feedback {on_cluster}
(
    project_id      LowCardinality(String),
    weave_ref       String              COMMENT 'what it is about, as it was sent' CODEC(ZSTD(1)),
    id              String              CODEC(ZSTD(1)),
    feedback_type   LowCardinality(String) COMMENT 'as it was sent',
    canonical_type  LowCardinality(String) COMMENT 'the neutral form: filters and rules treat both as one',
    payload         String              COMMENT 'JSON object text' CODEC(ZSTD(1)),
    creator         String              CODEC(ZSTD(1)),
    user_id         LowCardinality(String),
    created_at      DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    annotation_ref  String              CODEC(ZSTD(1)),
    runnable_ref    String              CODEC(ZSTD(1)),
    call_ref        String              CODEC(ZSTD(1)),
    trigger_ref     String              CODEC(ZSTD(1)),
    queue_id        String              CODEC(ZSTD(1)),
    scorer          String              COMMENT 'JSON object text: the scorer_ and span_ fields' CODEC(ZSTD(1)),
    ver             UInt64              CODEC(DoubleDelta, ZSTD(1)),
    deleted         UInt8,
    INDEX by_id id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_created_at created_at TYPE minmax GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(ver, deleted)}
ORDER BY (project_id, weave_ref, id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1;
