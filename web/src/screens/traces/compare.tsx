/**
 * Two calls beside each other: where those below them differ by time, tokens, cost and output, and how what went in, came
 * out and was noted differs.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { partRefsIn } from '../../../../domain/refs/in-values'
import { nameOf } from '../../api/calls'
import { type Call, queryCalls } from '../../api/client'
import { readRefs, withValues } from '../../api/refs'
import { Changed } from '../../ui/changes'
import { Dialog } from '../../ui/dialog'
import { changesOf } from '../../ui/diff'
import { count, dateTime, duration, money } from '../../ui/format'
import { Grid, type GridColumn } from '../../ui/grid'
import { Failed, Loading } from '../../ui/states'
import { useZone } from '../../ui/time'
import { type Aligned, alignTrees } from '../trace/align'
import { factsQuery, traceQuery } from '../trace/data'
import type { Span } from '../trace/tree'
import './compare.css'

interface Props {
  project: string
  /** two of them */
  ids: readonly string[]
  open: boolean
  close: () => void
}

const COMPARED = [
  'op_name',
  'display_name',
  'inputs',
  'output',
  'exception',
  'attributes',
  'summary',
] as const

export function CompareCalls({ open, close, ...rest }: Props) {
  return (
    <Dialog title="Compare two calls" open={open} close={close}>
      <Comparison {...rest} />
    </Dialog>
  )
}

function Comparison({ project, ids }: Pick<Props, 'project' | 'ids'>) {
  const [zone] = useZone()
  const { data, error, refetch } = useQuery(pairQuery(project, ids))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const [before, after] = data
  if (before === undefined || after === undefined) return <p>One of the calls is not there any more.</p>
  return (
    <div className="compare">
      <p className="muted">
        From {nameOf(before)} of {dateTime(before.started_at, zone)} to {nameOf(after)} of{' '}
        {dateTime(after.started_at, zone)}.
      </p>
      <Calls {...{ project, before, after }} />
    </div>
  )
}

/** In the order in which they began. */
const pairQuery = (project: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['calls', project, 'compared', ...ids],
    queryFn: async ({ signal }) => {
      const found = await queryCalls(
        {
          project_id: project,
          filter: { call_ids: [...ids] },
          sort_by: [{ field: 'started_at', direction: 'asc' }],
          columns: ['id', 'trace_id', 'started_at', ...COMPARED],
        },
        signal,
      )
      return withValues(found, await readRefs(partRefsIn(found), signal))
    },
  })

/** Of a trace, whether outputs differ is said of so many calls. */
const MOST_OUTPUTS = 1_000
const BEGINNING_BYTES = 2_000

/** How the outputs of a trace begin, by the calls' ids. */
const outputsQuery = (project: string, traceId: string) =>
  queryOptions({
    queryKey: ['trace', project, traceId, 'outputs'],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const found = await queryCalls(
        {
          ...{
            project_id: project,
            filter: { trace_ids: [traceId] },
            columns: ['id', 'output', 'exception'],
          },
          ...{ omit_large_values: true, cut_texts_at: BEGINNING_BYTES, limit: MOST_OUTPUTS },
        },
        signal,
      )
      return new Map(found.map(({ id, output, exception }) => [id, JSON.stringify([output, exception])]))
    },
  })

/** What is known of a trace's calls. */
function useTrace(project: string, traceId: string) {
  const { data: tree, error } = useQuery(traceQuery(project, traceId))
  const { data: facts } = useQuery(factsQuery(project, traceId))
  const { data: outputs } = useQuery(outputsQuery(project, traceId))
  return { tree: tree?.isPart ? undefined : tree, facts, outputs, error }
}

const COLUMNS: readonly GridColumn[] = [
  { id: 'name', title: 'Call', width: 170 },
  { id: 'took', title: 'Duration', width: 190, isNumber: true },
  { id: 'tokens', title: 'Tokens', width: 150, isNumber: true },
  { id: 'cost', title: 'Cost', width: 210, isNumber: true },
  { id: 'output', title: 'Output', width: 80 },
]
const ROW = 32

/** The calls below both, aligned, and what differs in the pair that is chosen: the two themselves at first. */
function Calls({ project, before, after }: { project: string; before: Call; after: Call }) {
  const [old, now] = [useTrace(project, before.trace_id), useTrace(project, after.trace_id)]
  const [chosen, setChosen] = useState(0)
  const rows = useMemo(() => {
    const [at, to] = [old.tree?.places.get(before.id), now.tree?.places.get(after.id)]
    return at === undefined || to === undefined ? undefined : alignTrees(old.tree!, at, now.tree!, to)
  }, [old.tree, now.tree, before.id, after.id])
  const wrong = old.error ?? now.error
  if (wrong) return <Failed error={wrong} />
  if (rows === undefined) return <Loading what="Reading the traces" />
  const spans = (row: Aligned) => [old.tree!.spans[row.before], now.tree!.spans[row.after]] as const
  const cell = (index: number, column: string): ReactNode => {
    const row = rows[index]!
    const [left, right] = spans(row)
    const [known, then] = [old.facts?.get(left?.id ?? ''), now.facts?.get(right?.id ?? '')]
    switch (column) {
      case 'name':
        return (
          <span className="row" style={{ paddingLeft: Math.min(row.depth, 16) * 12 }}>
            {left === undefined && <span className="chip accent">added</span>}
            {right === undefined && <span className="chip bad">gone</span>}
            <span className="cut">{(right ?? left)!.name}</span>
          </span>
        )
      case 'took':
        return <Step before={lengthOf(left)} after={lengthOf(right)} show={duration} />
      case 'tokens':
        return <Step before={known?.tokens} after={then?.tokens} show={count} />
      case 'cost':
        return <Step before={known?.cost} after={then?.cost} show={money} />
      default: {
        const [said, says] = [old.outputs?.get(left?.id ?? ''), now.outputs?.get(right?.id ?? '')]
        if (said === undefined || says === undefined) return null
        return said === says ? <span className="muted">same</span> : <span className="warn">differs</span>
      }
    }
  }
  const pair = spans(rows[Math.min(chosen, rows.length - 1)]!)
  return (
    <>
      {rows.length > 1 && (
        <div className="compare-calls" style={{ height: Math.min(320, (rows.length + 2) * ROW) }}>
          <Grid
            label="Calls of both"
            columns={COLUMNS}
            count={rows.length}
            rowHeight={ROW}
            cell={cell}
            open={setChosen}
            chosen={chosen}
          />
        </div>
      )}
      {pair[0] === undefined || pair[1] === undefined ? (
        <p className="muted">Only one of the traces has this call.</p>
      ) : (
        <Differences project={project} ids={[pair[0].id, pair[1].id]} />
      )}
    </>
  )
}

const lengthOf = (span: Span | undefined): number | undefined =>
  span?.end === undefined ? undefined : span.end - span.start

interface StepProps {
  before: number | undefined
  after: number | undefined
  show: (value: number) => string
}

/** A measure before and after, and by how much it differs. */
function Step({ before, after, show }: StepProps) {
  if (before === undefined && after === undefined) return null
  const by = before === undefined || after === undefined ? 0 : after - before
  const percent = before ? Math.round((100 * by) / before) : 0
  return (
    <span>
      <span className="muted">{before === undefined ? '–' : show(before)} → </span>
      {after === undefined ? '–' : show(after)}
      {percent !== 0 && (
        <span className={by > 0 ? 'bad' : 'good'}>
          {' '}
          {by > 0 ? '+' : '−'}
          {Math.abs(percent)} %
        </span>
      )}
    </span>
  )
}

function Differences({ project, ids }: Pick<Props, 'project' | 'ids'>) {
  const { data, error, refetch } = useQuery(pairQuery(project, ids))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  // Of two calls that began at once, either may come first.
  const [before, after] = ids.map((id) => data.find((call) => call.id === id))
  if (before === undefined || after === undefined) return <p>One of the calls is not there any more.</p>
  const values = [before, after].map((call) => Object.fromEntries(COMPARED.map((name) => [name, call[name]])))
  const changes = changesOf(values[0], values[1])
  return (
    <div className="changes">
      {changes.length === 0 && <p>They are the same.</p>}
      {changes.map((change) => (
        <Changed key={change.path} change={change} />
      ))}
    </div>
  )
}
