-- Responses that callers may retrieve and continue, and conversations. A row is never changed: a newer one with its key
-- takes its place, and a deletion leaves one without content. Reads use FINAL, which the key keeps to what is asked for.

CREATE TABLE IF NOT EXISTS responses {on_cluster}
(
    owner       String                 COMMENT 'the scopes of the key that asked, as JSON: who has others does not find the row',
    id          String                 COMMENT 'resp_, conv_ or items_, and a UUIDv7 without dashes' CODEC(ZSTD(1)),
    thread      String                 COMMENT 'the conversation, or the response that a chain of them began with' CODEC(ZSTD(1)),
    previous    String                 COMMENT 'the response that it continues; empty: none' CODEC(ZSTD(1)),
    project_id  LowCardinality(String) COMMENT 'where it was logged, whose retention holds; empty: nowhere',
    status      LowCardinality(String) COMMENT 'of a response; empty: it is none',
    content     String                 COMMENT 'JSON of the response, or of the conversation' CODEC(ZSTD(1)),
    items       String                 COMMENT 'JSON of the items that were sent' CODEC(ZSTD(1)),
    created_at  DateTime64(6, 'UTC')   CODEC(Delta, ZSTD(1)),
    deleted     UInt8,
    ver         UInt64                 CODEC(ZSTD(1)),

    INDEX by_thread thread TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (owner, id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
