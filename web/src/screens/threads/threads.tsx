/** The conversations of a project. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { threadsQuery } from '../../api/threads'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { NextPage } from '../../ui/button'
import { count, duration } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import { SORTS, type ThreadsSearch } from './search'
import './threads.css'

export function Threads() {
  const project = useProject()
  const { q = '', sort = 'last_updated' } = useSearch({ strict: false }) as ThreadsSearch
  const navigate = useNavigate()
  const find = useRef<HTMLInputElement>(null)
  const change = (more: ThreadsSearch) =>
    void navigate({ to: '.', search: { q: q || undefined, sort, ...more }, replace: true })
  useShortcuts([{ keys: '/', what: 'Find a thread', run: () => find.current?.focus() }])
  const query = useInfiniteQuery({
    ...threadsQuery(project.id, sort),
    refetchInterval: 10_000,
  })
  const { data, error, refetch } = query
  const all = data?.pages.flat()
  const shown = all?.filter(({ thread_id: id }) => id.toLowerCase().includes(q.toLowerCase()))
  return (
    <div className="page">
      <div className="page-head">
        <h1>Threads</h1>
        <SearchInput
          ref={find}
          label="Find by id"
          text={q}
          setText={(text) => change({ q: text || undefined })}
        />
        <select
          className="select"
          aria-label="Sort"
          value={sort}
          onChange={(event) => change({ sort: event.target.value })}
        >
          {SORTS.map(([field, title]) => (
            <option key={field} value={field}>
              {title}
            </option>
          ))}
        </select>
        {shown && <span className="muted">{count(shown.length)} shown</span>}
      </div>
      <div className="page-body" tabIndex={0}>
        {error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : shown === undefined ? (
          <Loading />
        ) : shown.length === 0 ? (
          <Empty title={all?.length ? 'No thread has this id' : 'No thread yet'}>
            <p>
              Calls within <code>with weave.thread("id"):</code> are the turns of a thread.
            </p>
          </Empty>
        ) : (
          <table className="table threads-table">
            <thead>
              <tr>
                <th>Thread</th>
                <th className="right">Turns</th>
                <th className="right">Median turn</th>
                <th className="right">Slowest (p99)</th>
                <th>Began</th>
                <th>Last seen</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((thread) => (
                <tr key={thread.thread_id}>
                  <td>
                    <Link
                      className="threads-name"
                      to="/$entity/$project/weave/threads/$threadId"
                      params={{
                        entity: project.entity,
                        project: project.name,
                        threadId: thread.thread_id,
                      }}
                    >
                      {thread.thread_id}
                    </Link>
                  </td>
                  <td className="right">{count(thread.turn_count)}</td>
                  <td className="right">{lengthOf(thread.p50_turn_duration_ms)}</td>
                  <td className="right">{lengthOf(thread.p99_turn_duration_ms)}</td>
                  <td className="muted">
                    <Time at={thread.start_time} />
                  </td>
                  <td className="muted">
                    <Time at={thread.last_updated} relative />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <NextPage of={query} />
      </div>
    </div>
  )
}

const lengthOf = (ms: number | null): string => (ms === null ? '' : duration(ms))
