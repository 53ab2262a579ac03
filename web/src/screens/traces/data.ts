/** The calls of the traces table, page by page, and those that came since. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Call, post, queryCalls } from '../../api/client'
import { pollInterval } from '../../api/poll-interval'
import type { Column } from './columns'
import { fieldsOf } from './columns'
import { othersOf } from './facets'
import { conditionOf, sortOf, spanOf, type TracesSearch } from './search'

const PAGE = 100
const NEWER = 200
/** More than a cell shows of a text, in any script. */
const SHOWN_BYTES = 2000
/** The service counts over at most 31 days. */
const MOST_MS = 31 * 86_400_000

/** @param now what came later is not among the pages, so that none moves while they are read */
export function callsQuery(project: string, search: TracesSearch, columns: readonly Column[], now: number) {
  const { cols: _, live: __, facets: ___, ...condition } = search
  const fields = fieldsOf(columns)
  const withFeedback = columns.some((one) => one.withFeedback)
  const withCosts = columns.some(({ id }) => id === 'cost')
  return infiniteQueryOptions({
    queryKey: ['calls', project, condition, now, fields, withFeedback, withCosts],
    staleTime: Number.POSITIVE_INFINITY,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      queryCalls(
        {
          project_id: project,
          ...conditionOf(search, now),
          sort_by: sortOf(search),
          columns: fields,
          // A page of images would be gigabytes, one of long texts 200 MB. The call's own page has them.
          omit_large_values: true,
          cut_texts_at: SHOWN_BYTES,
          limit: PAGE,
          offset: pageParam,
          ...(withFeedback && { include_feedback: true }),
          ...(withCosts && { include_costs: true }),
        },
        signal,
      ),
    getNextPageParam: (last: Call[], pages: Call[][]) =>
      last.length < PAGE ? undefined : pages.length * PAGE,
  })
}

/** How many calls match. */
export function countQuery(project: string, search: TracesSearch, now: number) {
  const { cols: _, live: __, sort: ___, facets: ____, ...condition } = search
  return queryOptions({
    queryKey: ['calls', project, 'count', condition, now],
    queryFn: ({ signal }) =>
      post(
        '/calls/query_stats',
        { project_id: project, ...conditionOf(search, now), limit: 1_000_000 },
        signal,
      ),
  })
}

/** How soon somebody who waits sees a new call. */
const LIVE_MS = 2_000
/** How soon the page says that there are new ones. */
const CALM_MS = 15_000

/**
 * How many calls that match began since `now`, asked for again and again: soon where the page is live or `wasEmpty`, else
 * ever more seldom. Where there were none, those that began earlier are as new.
 */
export function newerQuery(
  project: string,
  search: TracesSearch,
  now: number,
  enabled: boolean,
  wasEmpty: boolean,
) {
  const { q = '', all = false } = search
  return queryOptions({
    queryKey: ['calls', project, 'newer', q, all, now, wasEmpty],
    enabled,
    refetchInterval: search.live === true || wasEmpty ? LIVE_MS : pollInterval(CALM_MS),
    queryFn: async ({ signal }) => {
      const since = wasEmpty ? spanOf(search, now).from : now
      const from = since === undefined ? {} : { from: new Date(since).toISOString() }
      const body = conditionOf({ q, all, ...from }, Date.now())
      return post('/calls/query_stats', { project_id: project, ...body, limit: NEWER }, signal)
    },
  })
}

/** What the chart shows where no time is chosen. */
const CHART_MS = 7 * 86_400_000

/** The part of the chosen time that the chart shows: the last of it. */
export function chartSpan(search: TracesSearch, now: number): { from: number; to: number; isAll: boolean } {
  const { from, to = now } = spanOf(search, now)
  const start = Math.max(from ?? now - CHART_MS, to - MOST_MS)
  return { from: start, to, isAll: start === from }
}

/** Calls that match, and errors among them, over time, for the chart above the table. */
export function histogramQuery(project: string, search: TracesSearch, now: number) {
  const { from, to } = chartSpan(search, now)
  const seconds = Math.max(1, Math.ceil((to - from) / 1000 / 96))
  const condition = conditionOf(search, now)
  return queryOptions({
    queryKey: ['calls', project, 'histogram', from, to, condition],
    queryFn: async ({ signal }) =>
      post(
        '/calls/stats',
        {
          project_id: project,
          start: new Date(from).toISOString(),
          end: new Date(to).toISOString(),
          granularity: seconds,
          call_metrics: [{ metric: 'call_count' }, { metric: 'error_count' }],
          ...condition,
          // The time is that of the buckets; without a query, those that have not changed are not read again.
          query: (search.q ?? '') === '' ? null : (condition.query ?? null),
        },
        signal,
      ),
  })
}

/** A field whose values are counted. */
export interface Counted {
  path: string
  kind: 'values' | 'numbers'
}

/** Of a facet, at most. */
const VALUES = 20

/**
 * How many of the calls that match have which values: of each field, those that match what the filter says of all others.
 * @throws LanguageError for a filter that is none
 */
export function facetsQuery(project: string, search: TracesSearch, now: number, counted: readonly Counted[]) {
  const { q = '', all, range, from, to } = search
  return queryOptions({
    queryKey: ['calls', project, 'facets', { q, all, range, from, to }, now, counted],
    enabled: counted.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const facets = counted.map(({ path, kind }) => {
        const others = othersOf(q, path)
        return { field: path, kind, limit: VALUES, query: others === undefined ? null : { $expr: others } }
      })
      const body = { project_id: project, ...conditionOf({ ...search, q: '' }, now), facets }
      return post('/calls/facets', body, signal)
    },
  })
}
