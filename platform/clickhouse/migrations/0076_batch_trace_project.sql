-- Where the lines of a batch are logged as calls.

ALTER TABLE batches {on_cluster}
  ADD COLUMN IF NOT EXISTS trace_project String DEFAULT '' COMMENT 'entity/project; empty: nowhere';
