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

/**
 * For lists that may be long: small blocks and no buffers, since what is held is whole calls; rows that have to be sorted
 * go to disk early. Five million calls then pass through 200 MiB.
 */
export function longList(memoryBytes: number): Settings {
  return {
    max_block_size: '1024',
    read_in_order_use_buffering: 0,
    max_bytes_before_external_sort: String(Math.floor(memoryBytes / 4)),
    prefer_external_sort_block_bytes: String(1 << 20),
    max_bytes_ratio_before_external_sort: 0,
  }
}
