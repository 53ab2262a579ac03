-- Feedback on calls and on what other refs point at. A row is never changed: a newer one with its key takes its place,
-- and a purge leaves one that says so. Reads use FINAL, which the key keeps to the feedback of the calls asked for.

CREATE TABLE IF NOT EXISTS feedback {on_cluster}
(
    project_id      LowCardinality(String),
    call_id         String                 COMMENT 'the call of this project that it is about; empty: it is about something else' CODEC(ZSTD(1)),
    weave_ref       String                 COMMENT 'what it is about, as it was sent' CODEC(ZSTD(1)),
    id              String                 CODEC(ZSTD(1)),
    feedback_type   LowCardinality(String) COMMENT 'as it was sent',
    canonical_type  LowCardinality(String) COMMENT 'the neutral name: filters and rules treat both names as one',
    payload         String                 COMMENT 'JSON object text' CODEC(ZSTD(1)),
    creator         String                 CODEC(ZSTD(1)),
    user_id         LowCardinality(String),
    created_at      DateTime64(6, 'UTC')   CODEC(Delta, ZSTD(1)),
    annotation_ref  String                 CODEC(ZSTD(1)),
    runnable_ref    String                 CODEC(ZSTD(1)),
    call_ref        String                 CODEC(ZSTD(1)),
    trigger_ref     String                 CODEC(ZSTD(1)),
    queue_id        String                 CODEC(ZSTD(1)),
    scorer          String                 COMMENT 'JSON object text: the scorer_ and span_ fields, all of them; empty: none is set' CODEC(ZSTD(1)),
    ver             UInt64                 COMMENT 'counts down for what is made, so that the first of two stays; up for changes' CODEC(ZSTD(1)),
    deleted         UInt8,

    INDEX by_id         id         TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_weave_ref  weave_ref  TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_created_at created_at TYPE minmax GRANULARITY 1,
    INDEX by_deleted    deleted    TYPE minmax GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, call_id, weave_ref, id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1;
