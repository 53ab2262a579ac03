/** Counts calls by the values of several fields at once: the statement, and its rows as an answer. Pure. */
import type { CallFacetsReq, FacetSpec } from '../../contract/calls-read.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { asNumber, asText } from '../../domain/expr/cast.js'
import type { Fields, Value } from '../../domain/expr/value.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { allOf, bind, commaList, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { conditionsOf, prefilterOf } from './selection.js'

/** Calls that are counted, at most. */
const MOST_CALLS = 1_000_000
/** Of a facet: more than the ranges of numbers there are. */
const MOST_VALUES = 100
/** Nobody chooses a longer text from a list. */
const MOST_BYTES = 1000

/** Where ranges of numbers begin: 0, and 1, 2 and 5 of each power of ten. */
const BOUNDS: readonly number[] = [
  0,
  ...Array.from({ length: 17 }, (_, i) => [1, 2, 5].map((step) => Number(`${step}e${i - 7}`))).flat(),
]

/** A row: how many calls have a value of the facet of this number, which is {@link EVERY} for all calls. */
export interface FacetCount {
  facet: number
  value: string | null
  n: number
}

/** The number of what is no facet: every call. */
const EVERY = 255

/**
 * One pass over the calls that any facet counts. Facets with the same condition share it.
 * @throws 422 for an unknown field, 400 for one that has no values
 */
export function facetsStatement(request: CallFacetsReq, fields = callFields(request.project_id)): Sql {
  const conditions = [...new Set(request.facets.map(({ query }) => JSON.stringify(query)))]
  const conditionNumber = ({ query }: FacetSpec) => conditions.indexOf(JSON.stringify(query))
  const each = conditions.map((text) => {
    const own = { ...request, filter: null, query: JSON.parse(text) as FacetSpec['query'] }
    return together([...prefilterOf(own, fields), ...conditionsOf(own, fields)])
  })
  const flags = each.map((one, i) => sql`toUInt8(ifNull(${one}, 0)) AS ${flag(i)}`)
  const values = request.facets.map((facet, i) => sql`${cellOf(facet, fields)} AS ${ident(`v${i}`)}`)
  const common = [...prefilterOf(request, fields), ...conditionsOf(request, fields)]
  const calls = rowsOfBoth(commaList([...flags, ...values]), projectIdOf(request.project_id), [
    ...common,
    sql`(${join(each, sql` OR `)})`,
  ])
  const cells = request.facets.map((facet, i) => {
    const value = ident(`v${i}`)
    return sql`(toUInt8(${bind.uint(i)}), ${value}, toUInt8(${flag(conditionNumber(facet))} AND ${isCounted(facet, value)}))`
  })
  const every = sql`(toUInt8(${bind.uint(EVERY)}), CAST(NULL, 'Nullable(String)'), toUInt8(1))`
  return sql`SELECT cell.1 AS facet, cell.2 AS value, count() AS n
  FROM (
    SELECT arrayJoin(arrayFilter(one -> one.3 = 1, [${commaList([...cells, every])}])) AS cell
    FROM (SELECT * FROM (${calls}) LIMIT ${bind.uint(MOST_CALLS)}))
  GROUP BY facet, value ORDER BY facet, n DESC, value LIMIT ${bind.uint(MOST_VALUES)} BY facet`
}

const flag = (i: number) => ident(`is_${i}`)
const together = (all: readonly Sql[]) => sql`(${allOf([sql`1`, ...all])})`

/** Nullable(String): the value of a call, or the beginning of its range. */
function cellOf({ field, kind }: FacetSpec, fields: Fields): Sql {
  const value = fields(field)
  if (!value) throw errors.badField(field.slice(0, 200))
  // Nobody tells an empty text from none in a list.
  const found = kind === 'numbers' ? rangeOf(value) : sql`nullIf(${asText(value)}, '')`
  return sql`CAST(${found}, 'Nullable(String)')`
}

const BOUNDS_SQL = sql`[${commaList(BOUNDS.map((bound) => sql`${bind.float(bound)}`))}]`

function rangeOf(value: Value): Sql {
  const number = asNumber(value)
  return sql`if(isNull(${number}), NULL, toNullable(toString(roundDown(toFloat64(assumeNotNull(${number})), ${BOUNDS_SQL}))))`
}

/** Of numbers, those that are there. An empty text counts as one. */
function isCounted({ kind }: FacetSpec, value: Sql): Sql {
  if (kind === 'numbers') return sql`isNotNull(${value})`
  return sql`ifNull(length(${value}), 0) <= ${bind.uint(MOST_BYTES)}`
}

/** The answer from the rows of the statement. */
export function facetsOf({ facets }: Pick<CallFacetsReq, 'facets'>, rows: readonly FacetCount[]) {
  const found = groupBy(rows, ({ facet }) => Number(facet))
  return {
    is_partial: Number(found.get(EVERY)?.[0]?.n ?? 0) >= MOST_CALLS,
    facets: facets.map((facet, i) => {
      const counted = found.get(i) ?? []
      return { field: facet.field, values: valuesOf(facet, counted), ranges: rangesOf(facet, counted) }
    }),
  }
}

function valuesOf({ kind, limit }: FacetSpec, rows: readonly FacetCount[]) {
  if (kind === 'numbers') return []
  return rows.slice(0, limit).map(({ value, n }) => ({ value, count: Number(n) }))
}

function rangesOf({ kind }: FacetSpec, rows: readonly FacetCount[]) {
  if (kind === 'values') return []
  const ranges = rows.map(({ value, n }) => {
    const from = Number(value)
    return { from, to: BOUNDS[BOUNDS.indexOf(from) + 1] ?? Number.MAX_VALUE, count: Number(n) }
  })
  return ranges.sort((a, b) => a.from - b.from)
}
