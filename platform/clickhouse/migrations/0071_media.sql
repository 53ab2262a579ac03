-- Media of Langfuse's SDKs: what they say of a file that a trace refers to. The bytes are in files, under the digest.

CREATE TABLE IF NOT EXISTS media {on_cluster}
(
    project_id     LowCardinality(String),
    id             String                  COMMENT 'the start of the SHA-256 of the bytes, in URL-safe base64',
    digest         String                  COMMENT 'of the file',
    content_type   LowCardinality(String),
    upload_status  UInt16                  COMMENT 'HTTP status of the upload, as the client saw it; 0: not known',
    upload_error   String,
    ver            UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
