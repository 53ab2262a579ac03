/** The traces of a project: filter, look, choose, open. */

import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { partRefsIn } from '../../../../domain/refs/in-values'
import { usageQuery } from '../../api/calls'
import type { Call } from '../../api/client'
import { refsQuery, withValues } from '../../api/refs'
import { callPath, weavePath } from '../../app/address'
import { loaded } from '../../app/connection'
import { useShortcuts } from '../../app/keys'
import { keepList } from '../../app/last-list'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { count, counted } from '../../ui/format'
import { RANGES, rangeText } from '../../ui/ranges'
import { Empty, Failed, Loading } from '../../ui/states'
import { FirstSteps } from '../home/first-steps'
import type { Chosen } from './chosen'
import { ColumnPicker } from './column-picker'
import { columnOf, SUMMED } from './columns'
import { callsQuery, chartSpan, countQuery, histogramQuery, newerQuery } from './data'
import { FilterBuilder } from './filter-builder'
import { FilterField } from './filter-field'
import { compile, LanguageError } from './language'
import { SavedViews } from './saved-views'
import { columnIdsOf, conditionOf, sortOf, type TracesSearch, USUAL_FACETS } from './search'
import { bySum, isSummed, MOST_SUMMED } from './summed'
import { TracesTable } from './table'
import './traces.css'

const Bulk = lazy(() => loaded(async () => ({ default: (await import('./bulk')).Bulk })))
const FacetPanel = lazy(() => loaded(async () => ({ default: (await import('./facet-panel')).FacetPanel })))
const Histogram = lazy(() => loaded(() => import('../../ui/histogram')))

export function Traces() {
  const project = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/traces' })
  const navigate = useNavigate()
  const [now, setNow] = useState(Date.now)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isEverything, setEverything] = useState(false)
  const [cursor, setCursor] = useState(-1)
  const [isTop, setTop] = useState(true)
  const input = useRef<HTMLElement>(null)

  const choose = useCallback((ids: ReadonlySet<string>) => {
    setSelected(ids)
    setEverything(false)
  }, [])
  const change = useCallback(
    (next: Partial<Record<keyof TracesSearch, unknown>>) => {
      // The same rows stay: only what is counted beside them is another.
      if (Object.keys(next).some((name) => name !== 'facets')) {
        setCursor(-1)
        choose(new Set())
      }
      // Whatever is undefined leaves the address.
      void navigate({ to: '.', search: (old: object) => JSON.parse(JSON.stringify({ ...old, ...next })) })
    },
    [navigate, choose],
  )
  useEffect(() => keepList(project.id, search), [project.id, search])
  const columnIds = columnIdsOf(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are made of their ids
  const columns = useMemo(
    () => columnIds.map(columnOf).filter((one) => one !== undefined),
    [columnIds.join()],
  )
  const wrong = problemOf(search.q ?? '')

  const condition = wrong === undefined ? search : { ...search, q: '' }
  const { data, error, isPending, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery(callsQuery(project.id, condition, columns, now))
  const { data: total } = useQuery(countQuery(project.id, condition, now))
  const isLive = search.live === true
  const wasEmpty = data?.pages[0]?.length === 0
  const { data: { count: newer } = { count: 0 } } = useQuery(
    newerQuery(project.id, condition, now, search.to === undefined, wasEmpty),
  )
  const { data: stats } = useQuery(histogramQuery(project.id, condition, now))
  const { from, to, isAll } = chartSpan(condition, now)
  const charted = isAll ? undefined : `chart: ${Math.round((to - from) / 86_400_000)} days`
  const chart = useMemo(() => chartOf(stats?.call_buckets ?? []), [stats])
  // What one reads stays where it is: new calls come by themselves only while the top is looked at.
  if (newer > 0 && ((isLive && isTop && selected.size === 0) || wasEmpty)) setNow(Date.now())

  const refs = useQueries({
    queries: (data?.pages ?? []).map((page) => refsQuery(partRefsIn(page))),
    combine: (results) => new Map(results.flatMap(({ data: found }) => [...(found ?? [])])),
  })
  const isSorted = isSummed(search)
  const read = useMemo(() => withValues(data?.pages.flat() ?? [], refs), [data, refs])
  const withUsage = isSorted || columnIds.some((id) => SUMMED.has(id))
  const usage = useQueries({
    queries: (data?.pages ?? []).map((page) => ({
      ...usageQuery(
        project.id,
        page.map(({ id }) => id),
      ),
      enabled: withUsage && page.length > 0,
    })),
    combine: (results) => new Map(results.flatMap(({ data: found }) => [...(found ?? [])])),
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: of the search the sort counts
  const calls = useMemo(
    () => (isSorted ? bySum(read, usage, search) : read),
    [isSorted, read, usage, search.sort],
  )
  const isWhole = isSorted && read.length >= MOST_SUMMED
  useEffect(() => {
    if (isSorted && !isWhole && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isSorted, isWhole, hasNextPage, isFetchingNextPage, fetchNextPage])

  const hrefOf = useCallback(({ id }: Call) => callPath(project.id, id), [project.id])
  const open = useCallback((call: Call) => void navigate({ to: hrefOf(call) }), [navigate, hrefOf])
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isWhole) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, isWhole])

  const chosen: Chosen = {
    project: project.id,
    condition: conditionOf(condition, now),
    sort: sortOf(condition),
    ...(isEverything ? { count: total?.count ?? 0 } : { count: selected.size, ids: [...selected] }),
  }
  const everyId = useMemo(() => new Set(calls.map(({ id }) => id)), [calls])
  const hasMore = !isEverything && selected.size >= calls.length && (total?.count ?? 0) > selected.size
  const at = (by: number) => setCursor((old) => Math.max(0, Math.min(calls.length - 1, old + by)))
  useShortcuts([
    { keys: 'j', what: 'Next trace', run: () => at(1) },
    { keys: 'k', what: 'Previous trace', run: () => at(-1) },
    { keys: 'Enter', what: 'Open the trace', run: () => calls[cursor] && open(calls[cursor]) },
    {
      keys: 'x',
      what: 'Select the trace',
      run: () => {
        const id = calls[cursor]?.id
        if (id === undefined) return
        const next = new Set(selected)
        if (!next.delete(id)) next.add(id)
        choose(next)
      },
    },
    { keys: '/', what: 'Filter', run: () => input.current?.focus() },
    { keys: 'r', what: 'Load new traces', run: () => setNow(Date.now()) },
  ])

  const submit = (typed: string) => {
    const text = typed.trim()
    setNow(Date.now())
    change({ q: text === '' ? undefined : text })
  }
  const thing = search.all ? 'call' : 'trace'
  const isUnfiltered = (search.q ?? '') === '' && search.range === undefined && search.from === undefined
  if (calls.length === 0 && !isPending && !error && isUnfiltered && search.all !== true)
    return <FirstSteps project={project.id} />
  return (
    <div className="page">
      <div className="page-head">
        <form
          className="traces-query grow"
          onSubmit={(event) => {
            event.preventDefault()
            submit(String(new FormData(event.currentTarget).get('q') ?? ''))
          }}
        >
          <FilterField
            project={project.id}
            value={search.q ?? ''}
            isWrong={wrong !== undefined}
            {...{ search, calls, now }}
            field={input}
            submit={submit}
          />
        </form>
        <FilterBuilder
          project={project.id}
          calls={calls}
          add={(condition) => change({ q: [search.q, condition].filter(Boolean).join(' ') })}
          apply={({ filter, all }) => change({ q: filter, all: all ? true : undefined })}
        />
        <Button
          icon="facets"
          aria-pressed={search.facets !== undefined}
          onClick={() => change({ facets: search.facets === undefined ? USUAL_FACETS.join(',') : undefined })}
        >
          Facets
        </Button>
        <select
          className="select"
          aria-label="Time"
          value={search.range ?? (search.from ? 'span' : '')}
          onChange={({ target }) => {
            setNow(Date.now())
            change({ range: target.value === '' ? undefined : target.value, from: undefined, to: undefined })
          }}
        >
          <option value="">any time</option>
          {Object.keys(RANGES).map((range) => (
            <option key={range} value={range}>
              last {rangeText(range)}
            </option>
          ))}
          {search.from !== undefined && search.range === undefined && <option value="span">chosen</option>}
        </select>
        <label className="check">
          <input
            type="checkbox"
            checked={search.all === true}
            onChange={({ target }) => change({ all: target.checked ? true : undefined })}
          />
          all calls
        </label>
        <ColumnPicker chosen={columnIds} calls={calls} choose={(ids) => change({ cols: ids.join(',') })} />
        <SavedViews project={project.id} search={search} apply={change} />
        <Button
          icon={isLive ? 'pause' : 'play'}
          aria-pressed={isLive}
          onClick={() => change({ live: isLive ? undefined : true })}
        >
          Live
        </Button>
      </div>
      {wrong !== undefined && (
        <p className="traces-wrong" role="alert">
          {wrong.message} <span className="muted">(at {wrong.at + 1})</span>
        </p>
      )}
      <div className="traces-chart">
        <Suspense>
          {chart.times.length > 1 && (
            <Histogram
              {...chart}
              brushed={(from, to) =>
                change({
                  range: undefined,
                  from: new Date(from).toISOString(),
                  to: new Date(to).toISOString(),
                })
              }
            />
          )}
        </Suspense>
      </div>
      <div className="traces-bar">
        <span className="muted">
          {total
            ? total.has_more
              ? `more than ${counted(total.count, thing)}`
              : counted(total.count, thing)
            : ' '}
        </span>
        {isWhole && hasNextPage && (
          <span className="muted">sorted: the newest {count(read.length)}; choose a time for others</span>
        )}
        {charted !== undefined && <span className="muted only-wide">{charted}</span>}
        {newer > 0 && (
          <Button tone="quiet" onClick={() => setNow(Date.now())}>
            {newer} new
          </Button>
        )}
        {selected.size > 0 && (
          <Suspense>
            <Bulk
              chosen={chosen}
              more={hasMore ? total?.count : undefined}
              chooseAll={() => setEverything(true)}
              gone={() => choose(new Set())}
            />
          </Suspense>
        )}
        <span className="grow" />
        <Link
          className="button quiet"
          to={weavePath(project.id, 'training', 'new')}
          search={{ ...search, calls: true }}
        >
          Train on these
        </Link>
      </div>
      <div className="traces-main">
        {search.facets !== undefined && wrong === undefined && (
          <Suspense>
            <FacetPanel
              {...{ search, now, change }}
              project={project.id}
              isReady={!isPending || error !== null}
            />
          </Suspense>
        )}
        <div className="traces-list">
          {error ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : isPending ? (
            <Loading />
          ) : calls.length === 0 ? (
            <Empty title="No trace matches">
              <Button
                onClick={() => change({ q: undefined, range: undefined, from: undefined, to: undefined })}
              >
                Clear the filter
              </Button>
            </Empty>
          ) : (
            <TracesTable
              {...{ calls, columns, usage, cursor, open, hrefOf, more }}
              selected={isEverything ? everyId : selected}
              sort={search.sort ?? '-started_at'}
              setSort={(sort) => change({ sort })}
              select={choose}
              scrolled={(top) => setTop(top < 4)}
            />
          )}
        </div>
      </div>
    </div>
  )
}

function problemOf(text: string): LanguageError | undefined {
  try {
    compile(text)
    return undefined
  } catch (error) {
    if (error instanceof LanguageError) return error
    throw error
  }
}

function chartOf(buckets: readonly Record<string, unknown>[]) {
  return {
    times: buckets.map(({ timestamp }) => Date.parse(String(timestamp)) / 1000),
    counts: buckets.map((bucket) => Number(bucket.sum_call_count ?? 0)),
    errors: buckets.map((bucket) => Number(bucket.sum_error_count ?? 0)),
  }
}
