/** One end user over time: activity, cost, what was said of the answers, the last conversations. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { nameOf } from '../../api/calls'
import type { Call } from '../../api/client'
import { type EndUser, endUserFeedbackQuery, endUserQuery, endUserStatsQuery } from '../../api/end-users'
import { threadsOfUserQuery } from '../../api/threads'
import { callPath, weavePath } from '../../app/address'
import { useProject, useShownId } from '../../app/project'
import { Chart } from '../../ui/chart'
import { Copy } from '../../ui/copy'
import { count, money } from '../../ui/format'
import { Scores } from '../../ui/scores'
import { Empty, Failed, Loading } from '../../ui/states'
import { type Column, TableOf, timeColumn } from '../../ui/table'
import { Time, useZone } from '../../ui/time'
import { COLUMNS } from '../threads/columns'
import { feedbackOn } from '../threads/feedback'
import '../threads/threads.css'
import './end-users.css'
import { activityOf } from './activity'

const DAYS = 30
const THREADS = 10

export function EndUserPage() {
  const project = useProject()
  const user = useShownId()
  const { data, error, refetch } = useQuery(endUserQuery(project.id, user))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'end-users')}>End users</Link>
        <span className="muted">/</span>
        <h1 className="cut">{user}</h1>
        <Copy text={user} label="Copy the name" />
      </div>
      <div className="page-body end-users-page" tabIndex={0}>
        {data === null ? (
          <Empty title="No call names this end user">
            <p>They may have been deleted, or are not stored yet.</p>
          </Empty>
        ) : (
          <>
            <Facts user={data} />
            <Activity user={user} />
            <LastThreads user={user} />
            <LastFeedback user={user} />
          </>
        )}
      </div>
    </div>
  )
}

function Facts({ user }: { user: EndUser }) {
  const { error_count: errors, total_tokens: tokens, total_cost: cost } = user
  const facts: [string, ReactNode][] = [
    ['Threads', count(user.thread_count)],
    ['Calls', count(user.call_count)],
    [
      'Errors',
      <span key="errors" className={errors > 0 ? 'bad' : ''}>
        {count(errors)}
      </span>,
    ],
    ['Tokens', count(tokens)],
    ['Cost', cost === null ? '–' : money(cost)],
    ['First seen', <Time key="first" at={user.first_seen} />],
    ['Last seen', <Time key="last" at={user.last_seen} />],
  ]
  return (
    <section aria-label="Altogether">
      <dl className="end-users-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Scores {...user} />
    </section>
  )
}

function Activity({ user }: { user: string }) {
  const project = useProject()
  const [zone] = useZone()
  const timezone = zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
  const { data, error, refetch } = useQuery(endUserStatsQuery(project.id, user, DAYS, timezone))
  const shown = useMemo(() => data && activityOf(data.call_buckets, data.usage_buckets), [data])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (shown === undefined) return <Loading />
  return (
    <div className="end-users-charts">
      <section className="panel">
        <h2>Calls by day</h2>
        <Chart label="Calls by day" times={shown.times} series={shown.calls} format={count} kind="columns" />
      </section>
      <section className="panel">
        <h2>Cost by day</h2>
        <Chart label="Cost by day" times={shown.times} series={shown.cost} format={money} kind="columns" />
      </section>
    </div>
  )
}

function LastThreads({ user }: { user: string }) {
  const project = useProject()
  const query = useQuery(threadsOfUserQuery(project.id, user, THREADS))
  const total = query.data?.total_count ?? 0
  return (
    <section className="panel" aria-labelledby="end-users-threads">
      <h2 id="end-users-threads">Last threads</h2>
      <div className="end-users-table">
        <TableOf
          query={query}
          rows={query.data?.threads}
          keyOf={({ thread_id: id }) => id}
          columns={COLUMNS.filter(({ title }) => title !== 'End user')}
          empty={<p className="muted">No call for this end user is in a thread.</p>}
        />
      </div>
      {total > THREADS && (
        <Link to={weavePath(project.id, 'threads')} search={{ user }}>
          All {count(total)} threads
        </Link>
      )}
    </section>
  )
}

function LastFeedback({ user }: { user: string }) {
  const project = useProject()
  const query = useQuery(endUserFeedbackQuery(project.id, user))
  const columns: readonly Column<Call>[] = [
    {
      title: 'Feedback',
      cell: (call) => (
        <span className="scores">
          {feedbackOn(call).map(({ id, type, text }) => (
            <span key={id} className="chip" title={type}>
              {text}
            </span>
          ))}
        </span>
      ),
    },
    { title: 'On', cell: (call) => <Link to={callPath(project.id, call.id)}>{nameOf(call)}</Link> },
    {
      title: 'Thread',
      isWide: true,
      cell: ({ thread_id: id }) => id && <Link to={weavePath(project.id, 'threads', id)}>{id}</Link>,
    },
    timeColumn('Called', ({ started_at: at }) => at),
  ]
  return (
    <section className="panel" aria-labelledby="end-users-feedback">
      <h2 id="end-users-feedback">Reactions and scores</h2>
      <div className="end-users-table">
        <TableOf
          query={query}
          rows={query.data}
          keyOf={({ id }) => id}
          columns={columns}
          empty={<p className="muted">Nobody said anything of these calls.</p>}
        />
      </div>
    </section>
  )
}
