-- What projects set for themselves, apart from the operator's policies in `retention`, which bound it. Policies of projects
-- that are in `retention` already stay the operator's: nobody knows who set them, and a limit must not be lost.

CREATE TABLE IF NOT EXISTS project_retention {on_cluster}
(
    project  String         COMMENT 'entity/project',
    days     UInt32,
    live     UInt8          COMMENT '0: as long as the operator keeps calls',
    ver      UInt64
)
ENGINE = {engine:ReplacingMergeTree(ver)}
ORDER BY (project)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
