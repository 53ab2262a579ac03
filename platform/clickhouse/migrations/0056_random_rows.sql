-- Calls that lie apart: narrow columns are compressed granule by granule, so that one row needs no others' granules, and
-- the slowest calls are looked for among granules with slow ones. Parts that are there get both when they are merged.

ALTER TABLE calls {on_cluster} MODIFY SETTING min_compress_block_size = 4096;
ALTER TABLE calls {on_cluster}
  ADD INDEX IF NOT EXISTS by_elapsed toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at) TYPE minmax GRANULARITY 1;
