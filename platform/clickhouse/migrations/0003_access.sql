-- Projects by name, and API keys by hash. Small tables, read whole.

CREATE TABLE IF NOT EXISTS projects {on_cluster}
(
    project_id  String               COMMENT 'internal, opaque',
    name        String               COMMENT 'entity/project',
    created_at  DateTime64(6, 'UTC'),
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project_id)
SETTINGS fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS api_keys {on_cluster}
(
    key_hash    FixedString(64)      COMMENT 'sha256 of the key, hex; the key itself is stored nowhere',
    key_id      String               COMMENT 'what lists and revokes name it by',
    user_id     String,
    username    String,
    label       String,
    grants      String               COMMENT 'JSON: [{scope: "*" | "entity" | "entity/project", right: "read" | "write" | "admin"}]',
    trace_project String             COMMENT 'entity/project where its chat completions are logged; empty: nowhere',
    created_at  DateTime64(6, 'UTC'),
    revoked_at  DateTime64(6, 'UTC') COMMENT 'epoch: live',
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (key_hash)
SETTINGS fsync_after_insert = 1;
