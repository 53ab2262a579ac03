-- Which answer of a provider the usage of a span is of, and whether another span of its trace counts for it.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS answer_hash UInt32 COMMENT 'of the provider''s id of the answer whose usage this is; 0: none' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS repeats_usage UInt8 COMMENT '1: another span of the trace counts for this answer' CODEC(ZSTD(1));
ALTER TABLE calls_open {on_cluster}
  ADD COLUMN IF NOT EXISTS answer_hash UInt32,
  ADD COLUMN IF NOT EXISTS repeats_usage UInt8;
