/** Lists groups of calls with what they add up to: finds a page of groups by light columns, then reads the rest of those. */
import type { EndUser } from '../../contract/end-users.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { groupBy } from '../../platform/batch/group-by.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import {
  type Grouping,
  oneOf,
  REACTION,
  type ScoreRow,
  scoresStatement,
  type TotalsRow,
  totalsStatement,
} from './statement.js'

/** What an answer says of the calls of each group. */
type Totals = Pick<
  EndUser,
  'call_count' | 'error_count' | 'total_tokens' | 'total_cost' | 'scores' | 'reactions'
>

export interface Found {
  row: TotalsRow
  totals: Totals
}

interface Asked {
  order: Sql
  /** the order needs usage, costs or end users */
  isWide: boolean
  limit: number
  offset: number
}

/** @returns the groups of the page in their order, those of the whole list, and what selects the calls of the page's groups */
export async function groupsOf(
  reader: CallReader,
  grouping: Grouping,
  asked: Asked,
  signal: AbortSignal,
): Promise<{ found: Found[]; total: number; those: Grouping }> {
  const rows = await reader.rows<TotalsRow>(totalsStatement(grouping, asked), signal)
  const those = { ...grouping, among: [oneOf(rows.map(({ grp }) => grp))] }
  if (rows.length === 0) return { found: [], total: 0, those }
  const [wide, scores] = await Promise.all([
    asked.isWide
      ? rows
      : reader.rows<TotalsRow>(totalsStatement(those, { isWide: true, order: asked.order }), signal),
    reader.rows<ScoreRow>(scoresStatement(those), signal),
  ])
  const byGroup = new Map(wide.map((row) => [row.grp, row]))
  const scored = groupBy(scores, ({ grp }) => grp)
  const found = rows.flatMap(({ grp }) => {
    const row = byGroup.get(grp)
    return row ? [{ row, totals: totalsOf(row, scored.get(grp) ?? []) }] : []
  })
  return { found, total: Number(rows[0]!.total), those }
}

function totalsOf(
  { calls, errors, tokens = 0, cost = null }: TotalsRow,
  scores: readonly ScoreRow[],
): Totals {
  const reactions = scores.filter(({ name }) => name === REACTION)
  return {
    call_count: Number(calls),
    error_count: Number(errors),
    total_tokens: Number(tokens),
    total_cost: cost,
    scores: scores
      .filter(({ name }) => name !== REACTION)
      .map(({ name, number, mean }) => ({ name, count: number, mean })),
    reactions: Object.fromEntries(reactions.map(({ emoji, number }) => [emoji, number])),
  }
}
