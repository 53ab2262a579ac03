/** The conversations of a project. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { type Thread, threadsQuery } from '../../api/threads'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { count, duration } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty } from '../../ui/states'
import { type Column, TableOf, timeColumn } from '../../ui/table'
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
  const all = query.data?.pages.flat()
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
        <TableOf
          query={query}
          rows={shown}
          keyOf={({ thread_id: id }) => id}
          columns={COLUMNS}
          empty={
            <Empty title={all?.length ? 'No thread has this id' : 'No thread yet'}>
              <p>
                Calls within <code>with weave.thread("id"):</code> are the turns of a thread.
              </p>
            </Empty>
          }
        />
      </div>
    </div>
  )
}

const COLUMNS: Column<Thread>[] = [
  { title: 'Thread', cell: ({ thread_id: id }) => <ThreadLink id={id} /> },
  { title: 'Turns', isNumber: true, cell: ({ turn_count: turns }) => count(turns) },
  {
    title: 'Median turn',
    isNumber: true,
    isWide: true,
    cell: ({ p50_turn_duration_ms: ms }) => lengthOf(ms),
  },
  {
    title: 'Slowest (p99)',
    isNumber: true,
    isWide: true,
    cell: ({ p99_turn_duration_ms: ms }) => lengthOf(ms),
  },
  { title: 'Began', isMuted: true, isWide: true, cell: ({ start_time: at }) => <Time at={at} /> },
  timeColumn('Last seen', ({ last_updated: at }) => at),
]

function ThreadLink({ id }: { id: string }) {
  const project = useProject()
  return (
    <Link className="threads-name" to={weavePath(project.id, 'threads', id)}>
      {id}
    </Link>
  )
}

const lengthOf = (ms: number | null): string => (ms === null ? '' : duration(ms))
