-- Where the chat completions of a key are logged when the caller says nothing of it.

ALTER TABLE api_keys {on_cluster} ADD COLUMN IF NOT EXISTS trace_project String COMMENT 'entity/project; empty: nowhere';
