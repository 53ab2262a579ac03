/** The projects, with what happened in them in the last day. */

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post, type Schemas } from '../../api/client'
import { pollInterval } from '../../api/poll-interval'
import { sessionQuery } from '../../api/session'
import { weavePath } from '../../app/address'
import { useProjects, withText } from '../../app/use-projects'
import { count, money } from '../../ui/format'
import { useSettled } from '../../ui/settled'
import { Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import './home.css'

const PAGE = 50
/** Projects of a request. */
const AT_ONCE = 100

export function Home() {
  const { data: session } = useQuery(sessionQuery)
  const [text, setText] = useState('')
  const [shown, setShown] = useState(PAGE)
  const { known, found, hasMore, error, refetch } = useProjects(text)
  const settled = withText(known ?? [], useSettled(text))
  const { data: activity, error: wrong } = useQuery(activityQuery(settled.slice(0, shown)))
  if (error) return <Failed error={error} retry={refetch} />
  if (known === undefined) return <Loading />
  // Its table says how to begin.
  if (known.length === 0 && session)
    return <Navigate to={weavePath(firstProject(session.grants), 'traces')} replace />
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
        {wrong && (
          <span className="bad" role="alert">
            {wrong.message}
          </span>
        )}
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
            {found.slice(0, shown).map((id) => (
              <ProjectRow key={id} id={id} of={activity?.find((one) => one.project_id === id)} />
            ))}
          </tbody>
        </table>
        {found.length > shown && (
          <button type="button" className="button home-more" onClick={() => setShown(shown + PAGE)}>
            {count(found.length - shown)} more
          </button>
        )}
        {hasMore && <p className="muted home-more">There are others; type a part of a name to find them.</p>}
      </div>
    </div>
  )
}

/** What happened in projects in the last day. */
const activityQuery = (projects: readonly string[]) =>
  queryOptions({
    queryKey: ['activity', projects],
    enabled: projects.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: pollInterval(15_000),
    queryFn: async ({ signal }) => {
      const asked = Array.from({ length: Math.ceil(projects.length / AT_ONCE) }, (_, i) =>
        post('/calls/activity', { project_ids: projects.slice(i * AT_ONCE, (i + 1) * AT_ONCE) }, signal),
      )
      return (await Promise.all(asked)).flatMap(({ projects }) => projects)
    },
  })

interface RowProps {
  id: string
  /** undefined: not read yet */
  of: Schemas['ProjectActivity'] | undefined
}

function ProjectRow({ id, of }: RowProps) {
  return (
    <tr>
      <td>
        <Link to={weavePath(id, 'traces')} className="home-name">
          {id}
        </Link>
      </td>
      <td>{of && <Sparkline values={of.call_counts} />}</td>
      <td className="right">{of ? count(of.call_counts.reduce((all, one) => all + one, 0)) : '…'}</td>
      <td className={of && of.error_count > 0 ? 'right bad' : 'right muted'}>
        {of && count(of.error_count)}
      </td>
      <td className="right">{of && count(of.total_tokens)}</td>
      <td className="right">{of && money(of.total_cost ?? 0)}</td>
      <td className="muted">{of?.last_call_at && <Time at={of.last_call_at} relative />}</td>
    </tr>
  )
}

type Grants = Schemas['SessionRes']['grants']

/** The project that the first trace goes to, by the rights of who is signed in, where none is named. */
function firstProject(grants: Grants): string {
  const scope = (grants.find(({ right }) => right !== 'read') ?? grants[0])?.scope ?? '*'
  if (scope.includes('/')) return scope
  return `${scope === '*' ? 'me' : scope}/first`
}

const WIDTH = 120
const HEIGHT = 22

/** A small chart of columns, for one line of a table. */
function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length)
  return (
    <svg
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`at most ${most}`}
    >
      {values.map((value, i) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={i}
            x={i * step}
            y={HEIGHT - height}
            width={Math.max(1, step - 1)}
            height={height}
            className={value === 0 ? 'none' : ''}
          />
        )
      })}
    </svg>
  )
}
