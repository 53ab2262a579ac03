-- Prices per token. Rows with an empty project are the default level, which every project sees behind its own.

CREATE TABLE IF NOT EXISTS costs {on_cluster}
(
    project_id            LowCardinality(String) COMMENT 'empty: the default level',
    id                    String,
    llm_id                String                 COMMENT 'model name as usage reports it',
    provider_id           String,
    effective_date        DateTime64(6, 'UTC'),
    prompt                Float64                COMMENT 'per token, in prompt_unit',
    completion            Float64,
    cache_read            Float64                COMMENT 'per cached input token; part of the prompt tokens that cost this instead',
    cache_creation        Float64,
    prompt_unit           LowCardinality(String),
    completion_unit       LowCardinality(String),
    created_at            DateTime64(6, 'UTC'),
    created_by            String,
    deleted               UInt8,
    ver                   UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id, id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1;
