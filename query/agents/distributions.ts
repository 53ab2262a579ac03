/** How a custom attribute's values are spread within each group of agents' spans: statements, and answers from rows. Pure. */
import type { AgentSpanGroupRow } from '../../contract/agent-span.js'
import type { AgentSpanGroupDistributionSpec } from '../../contract/agents.js'
import { wrong } from '../../domain/calls/read/span.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { customField } from './fields.js'
import { spansOf, type Window } from './identity.js'
import { type GroupKey, outSql } from './measures.js'

type Item = AgentSpanGroupRow['distributions'][string]
type Place = Pick<Item, 'alias' | 'source' | 'key' | 'value_type'>

/** Characters of a value that are shown. */
const SHOWN = 256

/** A group's spans by range of the value, or by value. */
export interface DistributionRow {
  k: unknown
  total: number
  present: number
  least: number | null
  most: number | null
  /** the number of a range, or the text of a value, and the spans that have it */
  found: [place: number | string, count: number][]
}

export interface Distribution {
  readonly spec: AgentSpanGroupDistributionSpec
  readonly statement: Sql
}

/** What tells a group from others. */
export const groupOf = (key: unknown) => JSON.stringify(key ?? null)

/**
 * @param keys of the groups: one
 * @param groups the values of that key
 * @throws 422 for several keys, or a value that is no custom attribute
 */
export function distributionsOf(
  specs: readonly AgentSpanGroupDistributionSpec[],
  keys: readonly GroupKey[],
  groups: readonly unknown[],
  window: Window,
  conditions: readonly Sql[],
): Distribution[] {
  if (specs.length === 0) return []
  if (keys.length !== 1) throw wrong('group_distributions', 'needs exactly one group_by')
  const key = keys[0]!.value
  const texts = groups.filter((group) => group !== null).map(String)
  const isAsked = sql`(toString(${key.sql}) IN ${bind.strings(texts)}${groups.includes(null) ? sql` OR ${key.sql} IS NULL` : sql``})`
  return specs.map((spec) => {
    const { source, key: name } = spec.value
    if (!source.startsWith('custom_attrs_'))
      throw wrong('group_distributions', `can be of custom attributes, not of ${source}`)
    const value = customField(source, name, window)
    const shown = value.kind === 'bool' ? sql`if(${value.sql}, 'true', 'false')` : value.sql
    const columns = sql`${outSql(key)} AS k, if((${value.sql}) IS NULL, NULL, ${shown}) AS v`
    const spans = sql`SELECT ${columns} ${spansOf(window, [...conditions, isAsked], columns)}`
    return {
      spec,
      statement: value.kind === 'number' ? byRange(spans, spec.bins) : byValue(spans, spec.top_n),
    }
  })
}

function byRange(spans: Sql, bins: number): Sql {
  const width = sql`((most - least) / ${bind.uint(bins)})`
  // `least` passes over what is NULL.
  const place = sql`if(most = least, 0, least(${bind.float(bins - 1)}, floor((v - least) / ${width})))`
  return sql`SELECT k, sum(n) AS total, sumIf(n, range >= 0) AS present, any(least) AS least, any(most) AS most,
    groupArrayIf((range, n), range >= 0) AS found
  FROM (SELECT k, least, most, toInt32(if(v IS NULL, -1, ${place})) AS range, count() AS n FROM (
    SELECT k, toFloat64(v) AS v, min(v) OVER (PARTITION BY k) AS least, max(v) OVER (PARTITION BY k) AS most
    FROM (SELECT k, toFloat64(v) AS v FROM (${spans})))
  GROUP BY k, least, most, range) GROUP BY k`
}

function byValue(spans: Sql, most: number): Sql {
  return sql`SELECT k, sum(n) AS total, sumIf(n, v IS NOT NULL) AS present, NULL AS least, NULL AS most,
    arraySlice(arraySort(one -> (-toInt64(one.2), one.1), groupArrayIf((ifNull(v, ''), n), v IS NOT NULL)), 1, ${bind.uint(most)}) AS found
  FROM (SELECT k, substringUTF8(toString(v), 1, ${bind.uint(SHOWN)}) AS v, count() AS n FROM (${spans}) GROUP BY k, v)
  GROUP BY k`
}

/** By group, the distribution that the statement's rows say. */
export function itemsOf({ spec }: Distribution, rows: readonly DistributionRow[]): Map<string, Item> {
  const { alias, value } = spec
  const value_type = value.source.slice('custom_attrs_'.length) as Item['value_type']
  const place: Place = { alias, source: value.source, key: value.key, value_type }
  return new Map(rows.map((row) => [groupOf(row.k), itemOf(place, spec.bins, row)]))
}

function itemOf(place: Place, bins: number, { total, present, least, most, found }: DistributionRow): Item {
  const counts = { total_count: total, present_count: present, missing_count: total - present }
  const isNumber = place.value_type === 'int' || place.value_type === 'float'
  if (!isNumber) {
    const values = found.map(([value, count]) => ({ value: String(value), count }))
    const listed = values.reduce((sum, { count }) => sum + count, 0)
    return { ...place, ...counts, other_count: present - listed, bins: [], values }
  }
  return {
    ...place,
    ...counts,
    other_count: 0,
    bins: rangesOf(bins, least, most, new Map(found)),
    values: [],
  }
}

/** All ranges between `least` and `most`; one if they are equal. */
function rangesOf(
  bins: number,
  least: number | null,
  most: number | null,
  counts: ReadonlyMap<number | string, number>,
): Item['bins'] {
  if (least === null || most === null) return []
  const number = least === most ? 1 : bins
  const end = (index: number) => (index === number ? most : least + ((most - least) * index) / number)
  return Array.from({ length: number }, (_, index) => ({
    ...{ index, min: end(index), max: end(index + 1) },
    count: counts.get(index) ?? 0,
  }))
}
