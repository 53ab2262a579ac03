-- When feedback was stored, for what waits for it: clients say when a score was made, and one of a trace that has no root yet
-- waits for it.

ALTER TABLE feedback {on_cluster}
  ADD COLUMN IF NOT EXISTS stored_at DateTime64(6, 'UTC') DEFAULT created_at
    COMMENT 'when this row was stored; by default as created_at' CODEC(Delta, ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_stored_at stored_at TYPE minmax GRANULARITY 1;
