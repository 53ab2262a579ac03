-- What is known of an exporter's span as one of an agent: facts that spans are listed, grouped and summed by. The rest
-- is read from the span's text. Rows that were there before are listed as spans of no agent; whether they are spans,
-- and of which conversation, is told by what they have.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS span_kind UInt8 DEFAULT otel_origin != '' COMMENT '0: no span of an exporter; else OTLP''s kind + 1',
  ADD COLUMN IF NOT EXISTS span_status UInt8 COMMENT 'OTLP''s: 0 unset, 1 ok, 2 error' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS own_conversation UInt8 DEFAULT otel_origin != '' AND thread_id != '' COMMENT '1: thread_id is the conversation that the span itself names' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS operation_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS provider_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS agent_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS agent_version LowCardinality(String),
  ADD COLUMN IF NOT EXISTS request_model LowCardinality(String),
  ADD COLUMN IF NOT EXISTS response_model LowCardinality(String),
  ADD COLUMN IF NOT EXISTS tool_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS input_tokens UInt32 CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS output_tokens UInt32 CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS reasoning_tokens UInt32 CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS cache_creation_input_tokens UInt32 CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS cache_read_input_tokens UInt32 CODEC(ZSTD(1));
ALTER TABLE calls_open {on_cluster}
  ADD COLUMN IF NOT EXISTS span_kind UInt8,
  ADD COLUMN IF NOT EXISTS span_status UInt8,
  ADD COLUMN IF NOT EXISTS own_conversation UInt8,
  ADD COLUMN IF NOT EXISTS operation_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS provider_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS agent_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS agent_version LowCardinality(String),
  ADD COLUMN IF NOT EXISTS request_model LowCardinality(String),
  ADD COLUMN IF NOT EXISTS response_model LowCardinality(String),
  ADD COLUMN IF NOT EXISTS tool_name LowCardinality(String),
  ADD COLUMN IF NOT EXISTS input_tokens UInt32,
  ADD COLUMN IF NOT EXISTS output_tokens UInt32,
  ADD COLUMN IF NOT EXISTS reasoning_tokens UInt32,
  ADD COLUMN IF NOT EXISTS cache_creation_input_tokens UInt32,
  ADD COLUMN IF NOT EXISTS cache_read_input_tokens UInt32;
