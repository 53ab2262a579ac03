-- Training jobs, what they tell, and what was logged of models. A job's row is written by decisions with one winner
-- (a lease; the fence is the version); its events are numbered without gaps, and a number told again replaces itself.

CREATE TABLE IF NOT EXISTS training_jobs {on_cluster}
(
    project_id      LowCardinality(String),
    id              String               COMMENT 'UUIDv7: of two jobs the one that came first has the smaller one',
    model_id        String,
    kind            LowCardinality(String) COMMENT 'sft or rl',
    config          String               COMMENT 'JSON, as the request had it; empty: none',
    data_address    String               COMMENT 'JSON lines: a file, or s3://bucket/key',
    data_sha256     String               COMMENT 'hex',
    data_bytes      UInt64,
    data_count      UInt64               COMMENT 'lines',
    created_at      DateTime64(6, 'UTC'),
    created_by      String,
    status          LowCardinality(String) COMMENT 'queued, running, completed, failed or cancelled',
    stop_reason     LowCardinality(String) COMMENT 'cancelled or model_deleted: asked for, and not yet done; empty: nothing',
    attempt         UInt32               COMMENT 'how often it was taken; who has an older one may not write',
    failures        UInt32               COMMENT 'attempts in a row that came no further',
    progress        UInt64               COMMENT 'number of the last event when the attempt began',
    retry_at        DateTime64(6, 'UTC') COMMENT 'not to be taken before',
    step            UInt32               COMMENT 'of the checkpoint that it makes; 0: not taken yet',
    start_address   String               COMMENT 'of the checkpoint it starts from; empty: a new adapter',
    start_manifest  String,
    error_code      String,
    error_message   String,
    started_at      DateTime64(6, 'UTC') COMMENT 'epoch: not yet',
    finished_at     DateTime64(6, 'UTC') COMMENT 'epoch: not yet',
    ver             UInt64,
    expire_at       DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, id)
TTL expire_at
SETTINGS index_granularity = 256, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS training_events {on_cluster}
(
    project_id  LowCardinality(String),
    job_id      String,
    number      UInt64               COMMENT 'from 1, without gaps',
    type        LowCardinality(String) COMMENT 'as the interface has it, or checkpoint, which is not listed',
    data        String               COMMENT 'JSON' CODEC(ZSTD(1)),
    attempt     UInt32,
    created_at  DateTime64(6, 'UTC'),
    expire_at   DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree(attempt)}
ORDER BY (project_id, job_id, number)
TTL expire_at
SETTINGS index_granularity = 1024, fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS training_logs {on_cluster}
(
    project_id  LowCardinality(String),
    job_id      String,
    at          DateTime64(6, 'UTC') COMMENT 'unique within the job',
    attempt     UInt32,
    level       LowCardinality(String),
    message     String CODEC(ZSTD(1)),
    expire_at   DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (project_id, job_id, at)
TTL expire_at
SETTINGS index_granularity = 1024;

CREATE TABLE IF NOT EXISTS model_logs {on_cluster}
(
    project_id   LowCardinality(String),
    model_id     String,
    id           String               COMMENT 'UUIDv7',
    split        String,
    address      String               COMMENT 'of the groups: JSON lines, a file, or s3://bucket/key',
    groups       UInt64,
    bytes        UInt64,
    created_at   DateTime64(6, 'UTC'),
    created_by   String,
    expire_at    DateTime DEFAULT toDateTime(4294967295)
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY (project_id, model_id, id)
TTL expire_at
SETTINGS index_granularity = 1024, fsync_after_insert = 1;
