-- Models that are trained, and their checkpoints. Small tables of newest-wins rows, read with FINAL. A model's name is
-- unique within its project: decided under a lease, and the fence is the version.

CREATE TABLE IF NOT EXISTS models {on_cluster}
(
    project_id  LowCardinality(String),
    id          String               COMMENT 'UUID',
    entity      String,
    project     String,
    name        String,
    base_model  String               COMMENT 'as nodes name it',
    run_id      String               COMMENT 'empty: none',
    created_at  DateTime64(6, 'UTC'),
    created_by  String,
    deleted_at  DateTime64(6, 'UTC') COMMENT 'epoch: live',
    files_deleted_at DateTime64(6, 'UTC') COMMENT 'epoch: of a deleted model, its files are there still',
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, id)
SETTINGS index_granularity = 256, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS checkpoints {on_cluster}
(
    project_id       LowCardinality(String),
    model_id         String,
    step             UInt32               COMMENT 'from 1; step 0 is the base model and has no row',
    id               String               COMMENT 'UUID; another one when a step is written again',
    metrics          String               COMMENT 'JSON: name → number',
    address          String               COMMENT 'of the adapter: a folder, or s3://bucket/prefix',
    manifest_sha256  String               COMMENT 'hex, of manifest.json, which lists the hashes of all files',
    bytes            UInt64,
    job_id           String               COMMENT 'empty: none',
    created_at       DateTime64(6, 'UTC'),
    deleted_at       DateTime64(6, 'UTC') COMMENT 'epoch: live',
    files_deleted_at DateTime64(6, 'UTC') COMMENT 'epoch: of a deleted checkpoint, its files are there still',
    ver              UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, model_id, step)
SETTINGS index_granularity = 256, fsync_after_insert = 1;
