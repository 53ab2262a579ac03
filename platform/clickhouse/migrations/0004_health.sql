-- What /health writes and reads back: one row a process, gone a day after its last check.

CREATE TABLE IF NOT EXISTS health {on_cluster}
(
    process  String                COMMENT 'a name that the process made up at its start',
    nonce    String,
    at       DateTime,
    ver      UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (process)
TTL at + INTERVAL 1 DAY
SETTINGS fsync_after_insert = 1;
