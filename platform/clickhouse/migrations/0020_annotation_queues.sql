-- Annotation queues. Small tables of newest-wins rows, read with FINAL. An item's id is made from queue and call, so
-- that adding a call twice, at once or again, is one item.

CREATE TABLE IF NOT EXISTS annotation_queues {on_cluster}
(
    project_id   LowCardinality(String),
    id           String,
    name         String,
    description  String,
    scorer_refs  Array(String),
    created_at   DateTime64(6, 'UTC'),
    created_by   String,
    updated_at   DateTime64(6, 'UTC'),
    deleted_at   DateTime64(6, 'UTC') COMMENT 'epoch: live',
    ver          UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, id)
SETTINGS index_granularity = 256, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS annotation_queue_items {on_cluster}
(
    project_id       LowCardinality(String),
    queue_id         String,
    id               String,
    call_id          String,
    call_started_at  DateTime64(6, 'UTC'),
    call_ended_at    DateTime64(6, 'UTC') COMMENT 'epoch: it was running when it was added',
    call_op_name     String,
    call_trace_id    String,
    display_fields   Array(String),
    added_by         String,
    created_at       DateTime64(6, 'UTC'),
    ver              UInt64 COMMENT 'counts down in time, so that the first of two adds stays'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, queue_id, id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS annotation_progress {on_cluster}
(
    project_id    LowCardinality(String),
    queue_id      String,
    item_id       String,
    annotator_id  String,
    state         Enum8('in_progress' = 1, 'completed' = 2, 'skipped' = 3),
    updated_at    DateTime64(6, 'UTC'),
    ver           UInt64 COMMENT 'the fence of the lease under which it was decided'
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, queue_id, item_id, annotator_id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1;
