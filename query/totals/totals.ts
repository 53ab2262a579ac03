/**
 * Lists groups of calls with what they add up to: finds the groups of a page, then sums up the calls of those. A list of the
 * latest groups looks among the latest calls first, and counts the whole list beside it.
 */
import type { EndUser } from '../../contract/end-users.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { costsOfSums } from '../../domain/costs/billed-sums.js'
import type { Prices } from '../../domain/costs/pricing.js'
import { totalOf } from '../../domain/costs/rule.js'
import { groupBy } from '../../platform/batch/group-by.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { DistinctKeys } from './distinct-keys.js'
import {
  countStatement,
  type Grouping,
  groupsOf,
  groupsStatement,
  lateStatement,
  newestStatement,
  oneOf,
  orderBy,
  pageStatement,
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

/** What groups can be put in order by. */
export type TotalsColumn = Exclude<keyof TotalsRow, 'billed' | 'given'> | 'cost'

interface Sort<Field extends string> {
  field: Field
  direction: 'asc' | 'desc'
}

/** Which part of a list. */
interface Asked<Field extends string> {
  sorts: readonly Sort<Field>[]
  /** by the fields of requests */
  columns: Readonly<Record<Field, TotalsColumn>>
  limit: number
  offset: number
}

/** The groups of a part of a list, in its order, and how many the list has. */
interface Page {
  groups: readonly string[]
  total: number
  /** µs since the epoch: only calls that began since then are looked at */
  since?: number | undefined
}

/** What must be read out of texts. */
const WIDE: readonly TotalsColumn[] = ['tokens', 'cost']
/** How many calls have their usage read for an order by it: half a second of two cores. */
const MOST_PRICED = 100_000

/** The keys of the calls that make groups, running ones, too. */
export function keysOfGroups(store: Store, reader: CallReader, by: Grouping['by']): DistinctKeys {
  return new DistinctKeys(store, reader, groupsOf(by))
}

/** Runs the statements of one request. */
export class GroupLists {
  /**
   * @param keys of the calls that make groups
   * @param mostPriced an order by usage is of the newest calls up to this number
   */
  constructor(
    private readonly reader: CallReader,
    private readonly keys: DistinctKeys,
    private readonly signal: AbortSignal,
    private readonly mostPriced = MOST_PRICED,
  ) {}

  rows<Row>(statement: Sql): Promise<Row[]> {
    return this.reader.rows<Row>(statement, this.signal)
  }

  /** @returns the groups of the part in their order, those of the whole list, and what selects the calls of the part's groups */
  async part<Field extends string>(
    grouping: Grouping,
    asked: Asked<Field>,
  ): Promise<{ found: Found[]; total: number; since: string | null; those: Grouping }> {
    const [prices, { groups, total, since }] = await Promise.all([
      this.reader.prices(grouping.projectId, this.signal),
      this.page(grouping, asked),
    ])
    const from = since ?? grouping.from
    const whole = { ...grouping, from, among: [oneOf(grouping.by, groups)] }
    const rows = groups.length === 0 ? [] : await this.rows<TotalsRow>(totalsStatement(whole, prices))
    // Most groups are of a short time: what else is read of them is looked for only there.
    const times = rows.map(({ first, last }) => [Number(first), Number(last)] as const)
    const those = {
      ...whole,
      from: Math.min(...times.map(([first]) => first)),
      to: Math.max(...times.map(([, last]) => last)),
    }
    const scores = rows.length === 0 ? [] : await this.rows<ScoreRow>(scoresStatement(those))
    const byGroup = new Map(rows.map((row) => [row.grp, row]))
    const scored = groupBy(scores, ({ grp }) => grp)
    const found = groups.flatMap((grp) => {
      const row = byGroup.get(grp)
      return row ? [{ row, totals: totalsOf(row, scored.get(grp) ?? [], prices) }] : []
    })
    return { found, total, since: since === undefined ? null : isoOfMicros(since), those }
  }

  private async page<Field extends string>(grouping: Grouping, asked: Asked<Field>): Promise<Page> {
    return (await this.latest(grouping, asked)) ?? (await this.sorted(grouping, asked))
  }

  /** Sums up the calls of all groups; for an order by usage, the newest of them. */
  private async sorted<Field extends string>(
    grouping: Grouping,
    { sorts, columns, limit, offset }: Asked<Field>,
  ): Promise<Page> {
    const isWide = sorts.some(({ field }) => WIDE.includes(columns[field]))
    const order = orderBy(sorts, columns)
    const since = isWide ? await this.priced(grouping) : undefined
    const rows = await this.rows<{ grp: string; total: number }>(
      pageStatement({ ...grouping, from: since ?? grouping.from }, { isWide, order, limit, offset }),
    )
    return { groups: rows.map(({ grp }) => grp), total: rows[0]?.total ?? 0, since }
  }

  /** When the first of the newest calls began whose usage is read, µs since the epoch; undefined: all are read. */
  private async priced(grouping: Grouping): Promise<number | undefined> {
    const most = this.mostPriced
    const [newest] = await this.rows<{ calls: number; since: number }>(newestStatement(grouping, most, 'in'))
    return newest!.calls < most ? undefined : Number(newest!.since)
  }

  /** The same, if the latest groups of all are asked for and enough are found among the newest calls. */
  private async latest<Field extends string>(
    grouping: Grouping,
    { sorts, columns, limit, offset }: Asked<Field>,
  ): Promise<Page | undefined> {
    const [sort, ...others] = sorts
    const isLatest = columns[sort!.field] === 'last' && sort!.direction === 'desc' && others.length === 0
    if (!isLatest || grouping.among.length > 0 || limit === 0) return undefined
    const [groups, total] = await Promise.all([
      latestGroups((statement) => this.rows(statement), grouping, offset + limit),
      this.count(grouping),
    ])
    return groups && { groups: groups.slice(offset), total }
  }

  private async count(grouping: Grouping): Promise<number> {
    const { from, to, projectId } = grouping
    const counted = async () => {
      const [row] = await this.rows<{ total: number }>(countStatement(grouping))
      return row!.total
    }
    return from === undefined && to === undefined
      ? this.keys.count(projectId, counted, this.signal)
      : counted()
  }
}

/** How many of the newest calls are looked at to find a group, and in all. */
const CALLS_A_GROUP = [10, 100, 1000]
const MOST_CALLS = 200_000

/**
 * The latest groups of a list, as many as `wanted`; undefined if it is not known which are. Exact: if enough groups have a call
 * that began since a time, no group without a call since then is among the latest.
 * @param rows runs a statement
 */
export async function latestGroups(
  rows: <Row>(statement: Sql) => Promise<Row[]>,
  grouping: Grouping,
  wanted: number,
  callsAGroup: readonly number[] = CALLS_A_GROUP,
): Promise<string[] | undefined> {
  for (const calls of callsAGroup) {
    const most = wanted * calls
    if (most > MOST_CALLS) return undefined
    const [newest] = await rows<{ calls: number; groups: number; since: number }>(
      newestStatement(grouping, most),
    )
    if (newest!.groups >= wanted) return await lateGroups(rows, grouping, wanted, Number(newest!.since))
    // There are no more.
    if (newest!.calls < most) return undefined
  }
  return undefined
}

async function lateGroups(
  rows: <Row>(statement: Sql) => Promise<Row[]>,
  grouping: Grouping,
  wanted: number,
  since: number,
): Promise<string[] | undefined> {
  const most = 2 * wanted + 100
  const late = await rows<{ grp: string; makes: 0 | 1 }>(lateStatement(grouping, since, most))
  // A thread whose late calls are no turns may have an earlier one, or none.
  const unsure = late.filter(({ makes }) => makes === 0).map(({ grp }) => grp)
  const among = [oneOf(grouping.by, unsure)]
  const sure = unsure.length === 0 ? [] : await rows<{ grp: string }>(groupsStatement({ ...grouping, among }))
  const made = new Set(sure.map(({ grp }) => grp))
  const groups = late.filter(({ grp, makes }) => makes === 1 || made.has(grp)).map(({ grp }) => grp)
  return groups.length < wanted && late.length === most ? undefined : groups.slice(0, wanted)
}

function totalsOf(
  { calls, errors, tokens, billed }: TotalsRow,
  scores: readonly ScoreRow[],
  prices: Prices,
): Totals {
  const costs = costsOfSums(billed, (model, time) => prices.at(model, time))
  const reactions = scores.filter(({ name }) => name === REACTION)
  return {
    call_count: Number(calls),
    error_count: Number(errors),
    total_tokens: Number(tokens),
    total_cost: costs ? totalOf(costs) : null,
    scores: scores
      .filter(({ name }) => name !== REACTION)
      .map(({ name, number, mean }) => ({ name, count: number, mean })),
    reactions: Object.fromEntries(reactions.map(({ emoji, number }) => [emoji, number])),
  }
}
