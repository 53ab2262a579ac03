/** Engine settings for every read of calls, and why. */
import type { ClickHouseSettings } from '@clickhouse/client'

/** Includes settings unknown to the client's types. */
type Settings = ClickHouseSettings & Record<string, string | number>

export const READ_SETTINGS: Settings = {
  output_format_json_escape_forward_slashes: 0,
  // It replaces PREWHERE: a filter by op would read every column of every row.
  use_top_k_dynamic_filtering: 0,
  // Without a limit inside (LIMIT 1 BY comes before it) the buffers of a sort along the key take in the whole project.
  read_in_order_use_buffering: 0,
  // An expression of a thousand conditions is long text; its length is limited elsewhere.
  max_query_size: String(4 << 20),
  max_ast_elements: String(200_000),
  query_plan_max_limit_for_lazy_materialization: 2000,
  // The right side of our joins is grouped by its key, so it is the smaller one. The engine can't tell, and may swap them: it
  // made a hash table of all spans to look up what their traces name.
  query_plan_join_swap_table: 'false',
  // Each value of a set is looked up in the index of each granule: with more, that takes longer than to read the column.
  use_index_for_in_with_subqueries_max_values: String(10_000),
}

/** Seconds of a statement after which the engine estimates how long it will take. */
const ESTIMATED_AFTER = 5

/**
 * For statements that read all there is before they answer: one that would take longer than `seconds`, by what it has read
 * so far, ends with `TOO_SLOW` now, not when it has used two processors for all that time.
 */
export function estimated(seconds: number): Settings {
  return {
    max_estimated_execution_time: seconds,
    timeout_before_checking_execution_speed: Math.min(ESTIMATED_AFTER, seconds),
  }
}

/** The fraction of memory for lines written at once: each is held up to eight times on the way. */
const BLOCK_PART = 1 / 100
const BLOCK_ROWS = 1024

/**
 * For possibly long lists with lines of up to `width` bytes: sorts spill to disk early. Parts are read one after the
 * other, since reading them along the key in parallel takes ten megabytes each.
 */
export function longList(memoryBytes: number, width: number): Settings {
  const rows = Math.min(Math.max(Math.floor((memoryBytes * BLOCK_PART) / width), 1), BLOCK_ROWS)
  return {
    max_block_size: String(rows),
    optimize_read_in_order: 0,
    max_bytes_before_external_sort: String(Math.floor(memoryBytes / 4)),
    prefer_external_sort_block_bytes: String(1 << 20),
    max_bytes_ratio_before_external_sort: 0,
  }
}
