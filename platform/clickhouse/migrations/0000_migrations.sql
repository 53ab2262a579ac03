-- What was applied, and who is applying. Run before every migration, so it only ever creates what is not there.

CREATE TABLE IF NOT EXISTS migrations {on_cluster}
(
    file        String                 COMMENT 'name of the .sql file',
    checksum    String                 COMMENT 'sha256 of its statements, without comments',
    applied_at  DateTime64(6, 'UTC')
)
ENGINE = {engine:ReplacingMergeTree(applied_at)}
ORDER BY (file)
SETTINGS fsync_after_insert = 1;

CREATE TABLE IF NOT EXISTS migration_lock {on_cluster}
(
    owner       String                 COMMENT 'made up by each run of a migrator',
    turn        UInt32                 COMMENT 'counts the rows of this owner; the last one is true',
    expires_at  DateTime64(6, 'UTC')   COMMENT 'the claim holds until then'
)
ENGINE = {engine:ReplacingMergeTree(turn)}
ORDER BY (owner)
TTL toDateTime(expires_at) + INTERVAL 1 DAY;
