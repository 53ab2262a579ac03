-- How people come in by a provider or by a link, and where sessions are used.

ALTER TABLE sessions {on_cluster}
  ADD COLUMN IF NOT EXISTS browser String DEFAULT '' COMMENT 'as it named itself when the session began',
  ADD COLUMN IF NOT EXISTS address String DEFAULT '' COMMENT 'from where the session began';

CREATE TABLE IF NOT EXISTS sessions_seen {on_cluster}
(
    session_hash  FixedString(64),
    seen_at       DateTime64(6, 'UTC')  COMMENT 'to some minutes'
)
ENGINE = {engine:ReplacingMergeTree(seen_at)}
ORDER BY (session_hash)
TTL toDateTime(seen_at) + INTERVAL 366 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- What a provider of OpenID Connect gave for a session.
CREATE TABLE IF NOT EXISTS session_tokens {on_cluster}
(
    session_hash  FixedString(64),
    provider      LowCardinality(String),
    subject       String                COMMENT 'as the provider calls the user',
    provider_session String              COMMENT 'as the provider calls its session (sid); empty: it does not say',
    sealed        String                COMMENT 'its refresh token and ID token, sealed; empty: there is no key to seal with',
    can_refresh   UInt8                 COMMENT '1: there is a refresh token',
    checked_at    DateTime64(6, 'UTC')  COMMENT 'when the provider last said who this is',
    expires_at    DateTime64(6, 'UTC')  COMMENT 'of the session',
    ver           UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (session_hash)
TTL toDateTime(expires_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Links that were sent by mail.
CREATE TABLE IF NOT EXISTS sign_in_links {on_cluster}
(
    link_hash   FixedString(64)       COMMENT 'sha256 of what the link has, hex',
    email       String,
    next        String                COMMENT 'where the browser goes afterwards',
    created_at  DateTime64(6, 'UTC'),
    expires_at  DateTime64(6, 'UTC')
)
ENGINE = {engine:ReplacingMergeTree(created_at)}
ORDER BY (link_hash)
TTL toDateTime(expires_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Who wants to use what works once: links, and answers of providers. Whoever finds more than its own claim is too late.
CREATE TABLE IF NOT EXISTS sign_in_claims {on_cluster}
(
    used_hash   FixedString(64)       COMMENT 'sha256 of the link, or of the state of the answer, hex',
    claim       String                COMMENT 'random',
    expires_at  DateTime64(6, 'UTC')
)
ENGINE = {engine:ReplacingMergeTree(expires_at)}
ORDER BY (used_hash, claim)
TTL toDateTime(expires_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
