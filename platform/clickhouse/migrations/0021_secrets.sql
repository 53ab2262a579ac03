-- Keys of model providers, encrypted before they come here. Small, read by name with FINAL.

CREATE TABLE IF NOT EXISTS secrets {on_cluster}
(
    scope       String               COMMENT '*, entity, or entity/project',
    name        String,
    origin      String               COMMENT 'scheme, host and port that it may be sent to; *: any',
    sealed      String               COMMENT 'base64 of nonce, tag and ciphertext (AES-256-GCM); empty: deleted',
    created_at  DateTime64(6, 'UTC'),
    ver         UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (scope, name)
SETTINGS fsync_after_insert = 1;
