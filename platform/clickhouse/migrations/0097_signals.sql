-- The built-in signals that a project has switched off; see docs/adr/0061-signals-run-by-themselves.md.

CREATE TABLE IF NOT EXISTS project_signals {on_cluster}
(
    project  String         COMMENT 'entity/project',
    off      Array(String)  COMMENT 'names of signals',
    ver      UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
