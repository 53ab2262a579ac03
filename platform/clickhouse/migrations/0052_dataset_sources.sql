-- What rows of datasets were made from, and the secrets that sign addresses of files. Rows are replaced by newer ones.

CREATE TABLE IF NOT EXISTS dataset_sources {on_cluster}
(
    project_id         LowCardinality(String),
    dataset_object_id  String,
    row_digest         String,
    source_kind        Enum8('call' = 1, 'span' = 2, 'conversation' = 3),
    source_id          String,
    source_trace_id    String,
    id                 String               COMMENT 'made from the columns above',
    started_at         DateTime64(6, 'UTC') COMMENT 'of the source; of a conversation, when it was linked',
    display_name       String,
    link_metadata      String               COMMENT 'JSON, or empty',
    added_by           String,
    created_at         DateTime64(6, 'UTC'),
    ver                UInt64               COMMENT 'µs since the epoch of the last change',
    INDEX by_source source_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS signing_secrets {on_cluster}
(
    secret      String,
    created_at  DateTime64(6, 'UTC')
)
ENGINE = {engine:ReplacingMergeTree()}
ORDER BY (secret)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
