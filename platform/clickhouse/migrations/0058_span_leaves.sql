-- The leaves of a span's attributes are among its row's leaves. Rows from before may lack some: the index of this column
-- leaves out the granules that have none of those.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS span_indexed UInt8 COMMENT '1: leaves has those of the span''s attributes, if it is a span';
ALTER TABLE calls {on_cluster}
  ADD INDEX IF NOT EXISTS by_span_indexed span_indexed TYPE minmax GRANULARITY 1;
ALTER TABLE calls_open {on_cluster}
  ADD COLUMN IF NOT EXISTS span_indexed UInt8;
