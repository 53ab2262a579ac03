-- Items of datasets as Langfuse's SDKs change them, one by one; versions of the dataset's object take the changes up.

CREATE TABLE IF NOT EXISTS dataset_items {on_cluster}
(
    project_id         LowCardinality(String),
    dataset_object_id  String,
    item_id            String,
    ver                UInt64  COMMENT 'µs since the epoch; grows with each change of the dataset',
    created            UInt64  COMMENT 'version of the change that made the item',
    status             Enum8('ACTIVE' = 1, 'ARCHIVED' = 2, 'DELETED' = 3),
    row_digest         String  COMMENT 'of the row that the item is; empty: none',
    members            String  COMMENT 'JSON: the values of the item, and what it was made from',
    user_id            String,
    INDEX by_item item_id TYPE bloom_filter GRANULARITY 1,
    INDEX by_ver ver TYPE minmax GRANULARITY 1
)
ENGINE = {engine:ReplacingMergeTree()}
ORDER BY (project_id, dataset_object_id, item_id, ver)
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
