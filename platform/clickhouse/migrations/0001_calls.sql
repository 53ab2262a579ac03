-- Calls. Whole calls live in `calls`, one row each in one sorted block; halves (a start without its end, an
-- end without its start) wait in the small table `calls_open`. Reads never use FINAL: a row that is replaced is
-- deleted by a patch after its successor is inserted, and pages keep the newest `ver` of an id.
-- Unset is '' or the epoch: a Nullable column costs a second stream each.
-- What one insert brings lies in one file until it is merged: column by column it would be 112 files to make and sync.

CREATE TABLE IF NOT EXISTS calls {on_cluster}
(
    project_id        LowCardinality(String)               COMMENT 'internal, opaque project id',
    id                String                               CODEC(ZSTD(1)),
    trace_id          String                               CODEC(ZSTD(1)),
    parent_id         String                               COMMENT 'empty: a root' CODEC(ZSTD(1)),
    thread_id         String                               CODEC(ZSTD(1)),
    turn_id           String                               CODEC(ZSTD(1)),
    op_name           LowCardinality(String)               COMMENT 'plain name or weave:/// op ref',
    display_name      String                               CODEC(ZSTD(1)),
    started_at        DateTime64(6, 'UTC')                 CODEC(DoubleDelta, ZSTD(1)),
    ended_at          DateTime64(6, 'UTC')                 COMMENT 'epoch: still running' CODEC(Delta, ZSTD(1)),
    exception         String                               CODEC(ZSTD(1)),
    inputs            String                               COMMENT 'JSON text as it came in, one line' CODEC(ZSTD(1)),
    output            String                               COMMENT 'JSON text; empty: none' CODEC(ZSTD(1)),
    attributes        String                               COMMENT 'JSON object text, without otel_span' CODEC(ZSTD(1)),
    summary           String                               COMMENT 'JSON object text, without the derived key weave' CODEC(ZSTD(1)),
    otel_span         String                               COMMENT 'JSON text of the span an exporter sent, or what otel_shape leaves of it; empty: none' CODEC(ZSTD(1)),
    otel_shape        LowCardinality(String)               COMMENT 'what spans of one instrumentation share; empty: otel_span is whole',
    otel_origin       LowCardinality(String)               COMMENT 'end of the text: scope and resource',
    descendant_errors UInt32                               COMMENT 'summary.status_counts.error' CODEC(ZSTD(1)),
    user_id           LowCardinality(String),
    run_id            LowCardinality(String)               COMMENT 'bare run or entity/project/run',
    run_step          Int64 DEFAULT -9223372036854775808   COMMENT 'the default means unset' CODEC(ZSTD(1)),
    run_step_end      Int64 DEFAULT -9223372036854775808   COMMENT 'the default means unset' CODEC(ZSTD(1)),
    leaves            Array(UInt32)                        COMMENT 'hashes of (path, text) of the leaves in inputs, output, attributes' CODEC(ZSTD(1)),
    bytes             UInt64                               COMMENT 'length of inputs + output + attributes + summary' CODEC(ZSTD(1)),
    ver               UInt64                               COMMENT 'µs since the epoch when it was accepted; the newest wins' CODEC(DoubleDelta, ZSTD(1)),
    expire_at         DateTime DEFAULT toDateTime(4294967295) CODEC(ZSTD(1)),

    INDEX by_id         id         TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_trace_id   trace_id   TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_parent_id  parent_id  TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_op_name    op_name    TYPE bloom_filter(0.01)  GRANULARITY 1,
    INDEX by_thread_id  thread_id  TYPE bloom_filter(0.01)  GRANULARITY 1,
    INDEX by_leaves     leaves     TYPE bloom_filter(0.01)  GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, started_at, id)
TTL expire_at
SETTINGS index_granularity = 1024, enable_block_number_column = 1, enable_block_offset_column = 1,
         fsync_after_insert = 1, merge_selector_base = 12, min_bytes_for_wide_part = 67108864;

CREATE TABLE IF NOT EXISTS calls_open {on_cluster}
(
    project_id        LowCardinality(String),
    id                String                               CODEC(ZSTD(1)),
    kind              Enum8('start' = 1, 'end' = 2)        COMMENT 'which half; both at once only until they are joined',
    trace_id          String                               CODEC(ZSTD(1)),
    parent_id         String                               CODEC(ZSTD(1)),
    thread_id         String                               CODEC(ZSTD(1)),
    turn_id           String                               CODEC(ZSTD(1)),
    op_name           LowCardinality(String),
    display_name      String                               CODEC(ZSTD(1)),
    started_at        DateTime64(6, 'UTC')                 CODEC(Delta, ZSTD(1)),
    ended_at          DateTime64(6, 'UTC')                 CODEC(Delta, ZSTD(1)),
    exception         String                               CODEC(ZSTD(1)),
    inputs            String                               CODEC(ZSTD(1)),
    output            String                               CODEC(ZSTD(1)),
    attributes        String                               CODEC(ZSTD(1)),
    summary           String                               CODEC(ZSTD(1)),
    otel_span         String                               CODEC(ZSTD(1)),
    otel_shape        LowCardinality(String),
    otel_origin       LowCardinality(String),
    descendant_errors UInt32                               CODEC(ZSTD(1)),
    user_id           LowCardinality(String),
    run_id            LowCardinality(String),
    run_step          Int64 DEFAULT -9223372036854775808   CODEC(ZSTD(1)),
    run_step_end      Int64 DEFAULT -9223372036854775808   CODEC(ZSTD(1)),
    leaves            Array(UInt32)                        CODEC(ZSTD(1)),
    bytes             UInt64                               CODEC(ZSTD(1)),
    ver               UInt64                               CODEC(DoubleDelta, ZSTD(1)),
    expire_at         DateTime DEFAULT toDateTime(4294967295) CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (project_id, id, kind)
TTL expire_at
SETTINGS index_granularity = 512, enable_block_number_column = 1, enable_block_offset_column = 1,
         fsync_after_insert = 1;
