-- Log records that belong to a span wait among the halves until the span is there.

ALTER TABLE calls_open {on_cluster}
  MODIFY COLUMN kind Enum8('start' = 1, 'end' = 2, 'log' = 3) COMMENT 'which half; log: records of logs that wait for their span';
