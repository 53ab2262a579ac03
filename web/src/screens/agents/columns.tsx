/** Columns of what spans of agents add up to. */
import type { Schemas } from '../../api/client'
import { count, duration } from '../../ui/format'
import { type Column, costColumn, errorsColumn, tokensColumn as tokensOf } from '../../ui/table'

type Sums = Pick<
  Schemas['AgentSchema'],
  | 'invocation_count'
  | 'span_count'
  | 'error_count'
  | 'total_duration_ms'
  | 'total_input_tokens'
  | 'total_output_tokens'
  | 'total_cost_usd'
>

export const tokensColumn = tokensOf<Pick<Sums, 'total_input_tokens' | 'total_output_tokens'>>(
  ({ total_input_tokens: input, total_output_tokens: output }) => input + output,
)

export const SUMS: readonly Column<Sums>[] = [
  { title: 'Invocations', isNumber: true, cell: ({ invocation_count: times }) => count(times) },
  { title: 'Spans', isNumber: true, isWide: true, cell: ({ span_count: spans }) => count(spans) },
  errorsColumn,
  {
    title: 'Mean latency',
    isNumber: true,
    isWide: true,
    cell: ({ total_duration_ms: ms, span_count: spans }) => duration(ms / Math.max(1, spans)),
  },
  tokensColumn,
  { ...costColumn(({ total_cost_usd: cost }) => cost), isWide: true },
]
