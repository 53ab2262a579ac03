-- Users, what they may do, and keys that expire or follow their user.

CREATE TABLE IF NOT EXISTS users {on_cluster}
(
    user_id      String               COMMENT 'never changes, whatever the name becomes',
    username     String               COMMENT 'unique, in lower case; of people the address that they sign in by',
    email        String,
    name         String               COMMENT 'as it is shown',
    kind         Enum8('person' = 1, 'service' = 2),
    active       UInt8                COMMENT '0: nothing of the user works',
    source       LowCardinality(String)  COMMENT 'who made the user: oidc:PROVIDER, scim, invitation, email; empty: by hand',
    external_id  String               COMMENT 'as the source calls the user',
    scope        String               COMMENT 'of service accounts: who administers it looks after the account',
    created_at   DateTime64(6, 'UTC'),
    deleted      UInt8,
    ver          UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (user_id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS users_seen {on_cluster}
(
    user_id  String,
    seen_at  DateTime64(6, 'UTC')  COMMENT 'to the hour'
)
ENGINE = {engine:ReplacingMergeTree(seen_at)}
ORDER BY (user_id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS identities {on_cluster}
(
    issuer   String,
    subject  String  COMMENT 'as the issuer calls the user',
    user_id  String,
    ver      UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (issuer, subject)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS memberships {on_cluster}
(
    subject  String  COMMENT 'user:ID or team:ID',
    scope    String  COMMENT '*, an entity, or entity/project',
    source   LowCardinality(String)  COMMENT 'who gave the roles, and takes them back: oidc:PROVIDER, scim; empty: by hand',
    roles    Array(LowCardinality(String))  COMMENT 'empty: none any more',
    ver      UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (subject, scope, source)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS teams {on_cluster}
(
    team_id      String,
    entity       String  COMMENT '*: of all entities',
    name         String,
    source       LowCardinality(String),
    external_id  String,
    created_at   DateTime64(6, 'UTC'),
    deleted      UInt8,
    ver          UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (team_id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS team_members {on_cluster}
(
    user_id  String,
    team_id  String,
    live     UInt8,
    ver      UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (user_id, team_id)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS roles {on_cluster}
(
    entity       String  COMMENT '*: for all entities',
    name         String,
    title        String,
    permissions  Array(String)  COMMENT 'area:right',
    version      UInt64  COMMENT '1, 2, …: of two that change it at once, one learns of the other',
    deleted      UInt8,
    ver          UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (entity, name)
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS invitations {on_cluster}
(
    invitation_id  String,
    token_hash     FixedString(64)  COMMENT 'sha256 of what the link has, hex',
    email          String           COMMENT 'empty: whoever has the link',
    scope          String,
    role           String,
    invited_by     String           COMMENT 'id of the user, or name of the key''s user',
    created_at     DateTime64(6, 'UTC'),
    expires_at     DateTime64(6, 'UTC'),
    state          Enum8('open' = 1, 'used' = 2, 'revoked' = 3),
    user_id        String           COMMENT 'who used it',
    ver            UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (invitation_id)
TTL toDateTime(expires_at) + INTERVAL 90 DAY
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE api_keys {on_cluster}
  ADD COLUMN IF NOT EXISTS expires_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'epoch: never',
  ADD COLUMN IF NOT EXISTS limits String DEFAULT '' COMMENT 'JSON: {models, addresses}; empty: none',
  ADD COLUMN IF NOT EXISTS follows_user UInt8 DEFAULT 0 COMMENT '1: its rights are those of its user, as far as grants has them too',
  ADD COLUMN IF NOT EXISTS replaces String DEFAULT '' COMMENT 'id of the key that it was rotated from';

ALTER TABLE sessions {on_cluster}
  ADD COLUMN IF NOT EXISTS user_id String DEFAULT '' COMMENT 'of a user''s session, which stands for no key';
