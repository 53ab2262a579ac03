/** The projects, with what happened in them in the last day. */

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post, queryCalls } from '../../api/client'
import { pollInterval } from '../../api/poll-interval'
import { projectsQuery } from '../../api/projects'
import { sessionQuery } from '../../api/session'
import { weavePath } from '../../app/address'
import { count, money } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import { firstProject } from './first-project'
import './home.css'
import { Sparkline } from './sparkline'

const PAGE = 50
const DAY_MS = 86_400_000
const HOUR_S = 3600

export function Home() {
  const { data: projects, error, refetch } = useQuery(projectsQuery)
  const { data: session } = useQuery(sessionQuery)
  const [text, setText] = useState('')
  const [shown, setShown] = useState(PAGE)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (projects === undefined) return <Loading />
  // Its table says how to begin.
  if (projects.length === 0 && session)
    return <Navigate to={weavePath(firstProject(session.grants), 'traces')} replace />
  const found = projects.filter(({ project_id: id }) => id.toLowerCase().includes(text.toLowerCase()))
  return (
    <div className="page">
      <div className="page-head">
        <input
          className="input home-find"
          placeholder="Find a project"
          aria-label="Find a project"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="muted">the last 24 hours</span>
      </div>
      <div className="page-body">
        <table className="table home-table">
          <thead>
            <tr>
              <th>Project</th>
              <th>Calls by hour</th>
              <th className="right">Calls</th>
              <th className="right">Errors</th>
              <th className="right">Tokens</th>
              <th className="right">Cost</th>
              <th>Last call</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown).map(({ project_id: id }) => (
              <ProjectRow key={id} id={id} />
            ))}
          </tbody>
        </table>
        {found.length > shown && (
          <button type="button" className="button home-more" onClick={() => setShown(shown + PAGE)}>
            {count(found.length - shown)} more
          </button>
        )}
      </div>
    </div>
  )
}

interface Day {
  /** calls */
  byHour: number[]
  errors: number
  tokens: number
  cost: number
  last: string | undefined
}

/** @param before what was known: while no call has come, the last one is the same */
const lastDay = (project: string, before: () => Day | undefined) =>
  queryOptions({
    queryKey: ['last-day', project],
    refetchInterval: pollInterval(15_000),
    queryFn: async ({ signal }): Promise<Day> => {
      const { call_buckets: calls, usage_buckets: usage } = await post(
        '/calls/stats',
        {
          project_id: project,
          start: new Date(Date.now() - DAY_MS).toISOString(),
          granularity: HOUR_S,
          call_metrics: [{ metric: 'call_count' }, { metric: 'error_count' }],
          usage_metrics: [{ metric: 'total_tokens' }, { metric: 'total_cost' }],
        },
        signal,
      )
      const byHour = calls.map(({ sum_call_count: count }) => Number(count ?? 0))
      const known = before()
      const isSame = known !== undefined && byHour.join() === known.byHour.join()
      return {
        byHour,
        errors: sum(calls, 'sum_error_count'),
        tokens: sum(usage, 'sum_total_tokens'),
        cost: sum(usage, 'sum_total_cost'),
        last: isSame ? known.last : await lastCall(project, signal),
      }
    },
  })

async function lastCall(project: string, signal: AbortSignal): Promise<string | undefined> {
  const [last] = await queryCalls(
    {
      project_id: project,
      limit: 1,
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      columns: ['id', 'started_at'],
    },
    signal,
  )
  return last?.started_at
}

const sum = (buckets: readonly Record<string, unknown>[], name: string) =>
  buckets.reduce((total, bucket) => total + Number(bucket[name] ?? 0), 0)

function ProjectRow({ id }: { id: string }) {
  const client = useQueryClient()
  const { data, error } = useQuery(lastDay(id, () => client.getQueryData<Day>(['last-day', id])))
  return (
    <tr>
      <td>
        <Link to={weavePath(id, 'traces')} className="home-name">
          {id}
        </Link>
      </td>
      <td>{data && <Sparkline values={data.byHour} />}</td>
      <td className="right">
        {data ? count(data.byHour.reduce((all, one) => all + one, 0)) : error ? '–' : '…'}
      </td>
      <td className={data && data.errors > 0 ? 'right bad' : 'right muted'}>{data && count(data.errors)}</td>
      <td className="right">{data && count(data.tokens)}</td>
      <td className="right">{data && money(data.cost)}</td>
      <td className="muted">{data?.last ? <Time at={data.last} relative /> : error ? error.message : ''}</td>
    </tr>
  )
}
