-- What SCIM clients say of users, beside what users are.

CREATE TABLE IF NOT EXISTS scim_users {on_cluster}
(
    user_id      String,
    attributes   String               COMMENT 'JSON, of the attributes that the schema of SCIM users has here',
    modified_at  DateTime64(6, 'UTC'),
    ver          UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (user_id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
