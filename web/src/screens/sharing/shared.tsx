/** What a link shows, to whoever has it: the thing alone, without a session, navigation or anything to change. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import type { Kind } from '../../../../domain/calls/kinds'
import type { Panel } from '../../../../domain/dashboards/panels'
import { titleOf } from '../../../../domain/dashboards/panels'
import { ApiError } from '../../api/client'
import { NO_REFS } from '../../api/refs'
import {
  type SharedFacts,
  sharedCallQuery,
  sharedDashboardQuery,
  sharedFactsQuery,
  sharedQuery,
  sharedResultsQuery,
  sharedSummaryQuery,
  sharedTreeQuery,
} from '../../api/shared'
import { VisitContext } from '../../api/visit'
import { useTitleOf } from '../../app/title'
import icon from '../../ui/icon.svg'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import '../dashboards/dashboards.css'
import { Drawing } from '../dashboards/panel'
import { metricsOf } from '../evaluations/compare'
import { Results, Summaries } from '../evaluations/results'
import { CallDetail } from '../trace/detail'
import { type FactsById, factsOf } from '../trace/facts'
import { FeedbackList } from '../trace/feedback'
import type { Tab, View } from '../trace/search'
import type { Tree } from '../trace/tree'
import { TraceView } from '../trace/view'
import './sharing.css'

const KINDS = { trace: 'Trace', evaluation_run: 'Evaluation run', dashboard: 'Dashboard' } as const

export function Shared() {
  const { token } = useParams({ from: '/share/$token' })
  const { data, error, refetch } = useQuery(sharedQuery(token))
  useTitleOf(data?.title)
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty title="There is nothing at this link">
        <p>It may be wrong, have expired, or have been revoked. Ask who sent it for another one.</p>
      </Empty>
    )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="shared">
      <header>
        <span className="brand">
          <img src={icon} alt="" />
          Heddle
        </span>
        <span className="chip">{KINDS[data.kind]}</span>
        {data.kind !== 'trace' && <h1 className="cut">{data.title}</h1>}
        <span className="grow" />
        <span className="muted">
          Shared until <Time at={data.expires_at} />
        </span>
      </header>
      <main>
        {data.kind === 'trace' && <SharedTrace token={token} />}
        {data.kind === 'evaluation_run' && <SharedRun token={token} />}
        {data.kind === 'dashboard' && <SharedDashboard token={token} />}
      </main>
    </div>
  )
}

function SharedTrace({ token }: { token: string }) {
  const navigate = useNavigate()
  const { call } = useSearch({ from: '/share/$token' })
  const [view, setView] = useState<View>('timeline')
  const { data: tree, error, refetch } = useQuery(sharedTreeQuery(token))
  const { data: said } = useQuery(sharedFactsQuery(token))
  const facts = useMemo(
    () => (tree === undefined || said === undefined ? undefined : sharedFacts(tree, said)),
    [tree, said],
  )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (tree === undefined) return <Loading what="Reading the trace" />
  const callId = call !== undefined && tree.places.has(call) ? call : (tree.spans[0]?.id ?? '')
  return (
    <TraceView
      {...{ view, setView, facts }}
      tree={tree}
      callId={callId}
      select={(id) => void navigate({ to: '.', search: { call: id }, replace: true })}
    >
      <SharedCall token={token} callId={callId} />
    </TraceView>
  )
}

/** By the calls' ids. */
function sharedFacts(tree: Tree, said: readonly SharedFacts[]): FactsById {
  return new Map(
    said.map(({ id, kind, summary }) => {
      const { name } = tree.spans[tree.places.get(id) ?? -1] ?? { name: '' }
      return [id, factsOf(name, summary, (kind ?? undefined) as Kind | undefined)]
    }),
  )
}

function SharedCall({ token, callId }: { token: string; callId: string }) {
  const { data, error, refetch } = useQuery(sharedCallQuery(token, callId))
  const [chosen, setChosen] = useState<Tab>('chat')
  const refs = useMemo(() => new Map(Object.entries(data?.refs ?? {})), [data])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <Visiting {...{ token, callId, refs }}>
      <CallDetail
        {...{ call: data.call, chosen, setChosen }}
        feedback={
          data.feedback.length === 0 ? (
            <p className="muted">No feedback</p>
          ) : (
            <div className="feedback">
              <FeedbackList given={data.feedback} />
            </div>
          )
        }
      />
    </Visiting>
  )
}

function SharedRun({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(sharedSummaryQuery(token))
  const results = useInfiniteQuery(sharedResultsQuery(token))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading what="Reading the results" />
  const summaries = data.summary?.evaluations ?? []
  const metrics = metricsOf(summaries)
  return (
    <Visiting token={token}>
      <div className="page">
        <Summaries {...{ summaries, metrics }} projectId="" first={nothing} without={nothing} />
        <Results
          {...{ summaries }}
          projectId=""
          by={metrics.find(({ id }) => id.startsWith('scores.'))}
          change={undefined}
          results={results}
        />
      </div>
    </Visiting>
  )
}

const nothing = () => undefined

function SharedDashboard({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(sharedDashboardQuery(token))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading what="Reading the panels" />
  return (
    <div className="dashboards-panels">
      {data.panels.map(({ panel, buckets }) => (
        <SharedPanel
          key={JSON.stringify(panel)}
          panel={panel as unknown as Panel}
          range={data.range}
          buckets={buckets}
        />
      ))}
    </div>
  )
}

function SharedPanel(props: { panel: Panel; range: string; buckets: Record<string, unknown>[] }) {
  const title = titleOf(props.panel)
  return (
    <section className="panel dashboards-panel" aria-label={title}>
      <header className="row">
        <h2 className="cut grow">{title}</h2>
      </header>
      <Drawing {...props} />
    </section>
  )
}

/** What is below shows nothing but what the link does. */
function Visiting({
  token,
  callId = '',
  refs = NO_REFS,
  children,
}: {
  token: string
  callId?: string
  refs?: ReadonlyMap<string, unknown>
  children: ReactNode
}) {
  const visit = useMemo(() => ({ token, callId, refs }), [token, callId, refs])
  return <VisitContext value={visit}>{children}</VisitContext>
}
