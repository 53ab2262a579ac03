/** Settings of the engine that every read of calls runs with, and why. */
import type { ClickHouseSettings } from '@clickhouse/client'

/** Settings that the client's types do not know yet. */
type Settings = ClickHouseSettings & Record<string, string | number>

export const READ_SETTINGS: Settings = {
  output_format_json_escape_forward_slashes: 0,
  // It takes the place of PREWHERE: a filter by op would read every column of every row.
  use_top_k_dynamic_filtering: 0,
  // An expression of a thousand conditions is a long text; how long it can get is held elsewhere.
  max_query_size: String(4 << 20),
  max_ast_elements: String(200_000),
  query_plan_max_limit_for_lazy_materialization: 2000,
}

/** Part of the memory that lines take which are written at once: in between, each is held up to eight times. */
const BLOCK_PART = 1 / 100
const BLOCK_ROWS = 1024

/**
 * For lists that may be long, of lines of up to `width` bytes: rows that have to be sorted go to disk early. Parts are
 * read one after the other: to read them along the key side by side takes ten megabytes of each.
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
