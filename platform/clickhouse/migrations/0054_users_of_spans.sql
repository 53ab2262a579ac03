-- Whether the attributes of an exporter's span say who the user was, so that spans that lack one are found without reading
-- attributes.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS has_user UInt8 DEFAULT otel_origin != '' AND position(attributes, '"user_id":') > 0 COMMENT '1: the attributes say who the user was' CODEC(ZSTD(1));
ALTER TABLE calls_open {on_cluster}
  ADD COLUMN IF NOT EXISTS has_user UInt8;
