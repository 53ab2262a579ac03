-- Who is signed in to the pages: a session stands for a key, and ends with it.

CREATE TABLE IF NOT EXISTS sessions {on_cluster}
(
    session_hash  FixedString(64)      COMMENT 'sha256 of the cookie, hex; the cookie itself is stored nowhere',
    key_hash      FixedString(64)      COMMENT 'of the key that it stands for',
    created_at    DateTime64(6, 'UTC'),
    expires_at    DateTime64(6, 'UTC'),
    live          UInt8                COMMENT '0: signed out',
    ver           UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (session_hash)
TTL toDateTime(expires_at) + INTERVAL 1 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
