-- Tables of a dataset: lists of row digests over rows that are stored once a project. Rows lie in the order they came
-- in (`upload`, `n`), so that a table is read by ranges; its list says where each row lies. A large table comes in chunks,
-- each of which is a part: twelve to a merge, its rows are rewritten once less.

CREATE TABLE IF NOT EXISTS table_rows {on_cluster}
(
    project_id  LowCardinality(String),
    upload      UInt64  COMMENT 'the request that brought the row, µs since the epoch' CODEC(Delta, ZSTD(1)),
    n           UInt32  COMMENT 'position among the new rows of that request' CODEC(Delta, ZSTD(1)),
    digest      String  CODEC(ZSTD(1)),
    digest_key  UInt64  MATERIALIZED cityHash64(digest) COMMENT 'what a digest is looked for by: comparing it is cheap' CODEC(NONE),
    val         String  COMMENT 'JSON object text, refs in internal form' CODEC(ZSTD(1)),
    bytes       UInt64  COMMENT 'of val' CODEC(ZSTD(1)),
    expire_at   DateTime DEFAULT toDateTime(4294967295) CODEC(ZSTD(1)),

    PROJECTION by_digest (SELECT project_id, digest_key, digest, upload, n, bytes ORDER BY project_id, digest_key)
)
ENGINE = {engine:MergeTree}
ORDER BY (project_id, upload, n)
TTL expire_at
SETTINGS index_granularity = 64, min_compress_block_size = 16384, fsync_after_insert = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS table_index {on_cluster}
(
    project_id  LowCardinality(String),
    digest      String  COMMENT 'of the table' CODEC(ZSTD(1)),
    position    UInt32  CODEC(Delta, ZSTD(1)),
    row_digest  String  CODEC(ZSTD(1)),
    upload      UInt64  COMMENT 'where the row lies; 0: it was not there when the list was made' CODEC(Delta, ZSTD(1)),
    n           UInt32  CODEC(Delta, ZSTD(1)),
    bytes       UInt64  COMMENT 'of the row' CODEC(ZSTD(1)),
    expire_at   DateTime DEFAULT toDateTime(4294967295) CODEC(ZSTD(1))
)
ENGINE = {engine:ReplacingMergeTree(upload)}
ORDER BY (project_id, digest, position)
TTL expire_at
SETTINGS index_granularity = 128, min_compress_block_size = 16384, fsync_after_insert = 1, merge_selector_base = 12;

-- Written last: a table is there when its row is here.
CREATE TABLE IF NOT EXISTS tables {on_cluster}
(
    project_id  LowCardinality(String),
    digest      String,
    rows        UInt64,
    bytes       UInt64  COMMENT 'of its rows, one that comes twice counted twice',
    user_id     LowCardinality(String),
    created_at  DateTime64(6, 'UTC'),
    ver         UInt64,
    expire_at   DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, digest)
TTL expire_at
SETTINGS index_granularity = 256, fsync_after_insert = 1;

-- Lists of digests on their way into `table_index`, which looks up where their rows lie.
CREATE TABLE IF NOT EXISTS table_lists {on_cluster}
(
    list        String,
    digest_key  UInt64  MATERIALIZED cityHash64(row_digest) CODEC(NONE),
    position    UInt32  CODEC(NONE),
    row_digest  String  CODEC(NONE),
    at          DateTime
)
ENGINE = {engine:MergeTree}
ORDER BY (list, digest_key)
TTL at + INTERVAL 1 HOUR
SETTINGS index_granularity = 1024;
