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

/** For lists whose rows are sorted whole: past half of the memory that a query may take, it goes on on disk. */
export function sortOnDisk(memoryBytes: number): Settings {
  return {
    max_bytes_before_external_sort: String(Math.floor(memoryBytes / 2)),
    max_bytes_ratio_before_external_sort: 0,
  }
}
