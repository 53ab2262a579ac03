-- Where and by what a call was made, and how long the first part of its answer took.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS environment LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS release LowCardinality(String) COMMENT 'of the program' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS version LowCardinality(String) COMMENT 'of the part of the program that made the call' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS prompt_name LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS prompt_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS first_token UInt32 COMMENT 'µs from the start until the first part of the answer; 0: unknown' CODEC(ZSTD(1));
ALTER TABLE calls_open {on_cluster}
  ADD COLUMN IF NOT EXISTS environment LowCardinality(String),
  ADD COLUMN IF NOT EXISTS release LowCardinality(String),
  ADD COLUMN IF NOT EXISTS version LowCardinality(String),
  ADD COLUMN IF NOT EXISTS prompt_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS prompt_version LowCardinality(String),
  ADD COLUMN IF NOT EXISTS first_token UInt32;
