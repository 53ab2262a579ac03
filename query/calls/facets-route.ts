/** The route that counts calls by the values of several fields, bound. */
import { type CallFacetsReq, callFacets, type FacetSpec } from '../../contract/calls-read.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { BOUNDS, type Counted, EVERY, facetsStatement, MOST_CALLS } from './facets.js'

export function facetsRoute(reader: CallReader): Bound {
  return serve(callFacets, async ({ body, signal }) =>
    answerOf(body, await reader.rows<Counted>(facetsStatement(body), signal)),
  )
}

/** The answer from the rows of the statement. Pure. */
function answerOf({ facets }: Pick<CallFacetsReq, 'facets'>, rows: readonly Counted[]) {
  const found = groupBy(rows, ({ facet }) => Number(facet))
  return {
    is_partial: Number(found.get(EVERY)?.[0]?.n ?? 0) >= MOST_CALLS,
    facets: facets.map((facet, i) => {
      const counted = found.get(i) ?? []
      return { field: facet.field, values: valuesOf(facet, counted), ranges: rangesOf(facet, counted) }
    }),
  }
}

function valuesOf({ kind, limit }: FacetSpec, rows: readonly Counted[]) {
  if (kind === 'numbers') return []
  return rows.slice(0, limit).map(({ value, n }) => ({ value, count: Number(n) }))
}

function rangesOf({ kind }: FacetSpec, rows: readonly Counted[]) {
  if (kind === 'values') return []
  const ranges = rows.map(({ value, n }) => {
    const from = Number(value)
    return { from, to: BOUNDS[BOUNDS.indexOf(from) + 1] ?? Number.MAX_VALUE, count: Number(n) }
  })
  return ranges.sort((a, b) => a.from - b.from)
}
