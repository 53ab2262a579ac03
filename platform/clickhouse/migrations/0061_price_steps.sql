-- Prices of long prompts: all tokens of a request whose prompt has more tokens than `above` cost what the last such step says.

ALTER TABLE costs {on_cluster}
    ADD COLUMN IF NOT EXISTS steps Array(Tuple(above UInt32, prompt Float64, completion Float64, cache_read Float64,
        cache_creation Float64)) COMMENT 'by above; empty: one price for all' AFTER cache_creation;
