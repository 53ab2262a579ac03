-- The numbers among the values of `otel_span`, so that numeric attributes are compared and sorted without reading texts. The
-- engine makes them of what is sent, and of rows that were there before in the background. A text of digits is a number, too,
-- as it is for comparisons; each value that is none is NaN. A span whose text is whole has none: ADR 0068.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS span_numbers Array(Float64) DEFAULT if(otel_shape = '', [],
    arrayMap(value -> toFloat64OrDefault(trimBoth(value, '"'), nan), splitByChar('\x01', otel_span)))
    COMMENT 'the values of otel_span as numbers; NaN: none' CODEC(ZSTD(1));
ALTER TABLE calls {on_cluster}
  MATERIALIZE COLUMN span_numbers;
-- No span waits here.
ALTER TABLE calls_open {on_cluster}
  ADD COLUMN IF NOT EXISTS span_numbers Array(Float64);
