-- Links between rows of datasets and what they were made from can be deleted; they stay, marked.

ALTER TABLE dataset_sources {on_cluster}
  ADD COLUMN IF NOT EXISTS deleted_at DateTime64(6, 'UTC') COMMENT 'the epoch: it is not deleted';
