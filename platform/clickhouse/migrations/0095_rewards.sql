-- Rewards that the service gives before a job is trained, and the check of its model on data that it does not learn from.

ALTER TABLE training_jobs {on_cluster}
  ADD COLUMN IF NOT EXISTS guidance String DEFAULT '' COMMENT 'JSON: who gives the rewards, and what is checked; empty: nobody and nothing' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS preparing LowCardinality(String) DEFAULT '' COMMENT 'what is to be done before it is trained: rewards or check; empty: nothing',
  ADD COLUMN IF NOT EXISTS events_before UInt64 DEFAULT 0 COMMENT 'events that were there before it was trained';
