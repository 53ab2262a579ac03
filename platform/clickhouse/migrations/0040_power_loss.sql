-- What is merged or changed is on disk before what it was made of goes: a power loss takes no acknowledged row.
-- Inserts were synced before; the names of their files are now, on a server of one's own too.

ALTER TABLE migrations {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE calls {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE calls_open {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE objects {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE files {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE projects {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE api_keys {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE health {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE object_tags {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE object_aliases {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE table_rows {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE table_index {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE tables {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE annotation_queues {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE annotation_queue_items {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE annotation_progress {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE secrets {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE costs {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE feedback {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE models {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE checkpoints {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE training_jobs {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE training_events {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE training_logs {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE model_logs {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE evaluation_jobs {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE retention {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
ALTER TABLE retention_runs {on_cluster} MODIFY SETTING fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
