-- Which program applied each migration, so that an older one can say which version these tables need.

ALTER TABLE migrations {on_cluster}
  ADD COLUMN IF NOT EXISTS program String DEFAULT '' COMMENT 'version of the program that applied it; empty: older than this column';
