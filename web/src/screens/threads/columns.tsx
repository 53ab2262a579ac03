/** The columns of a list of threads. */
import { Link } from '@tanstack/react-router'
import type { Thread } from '../../api/threads'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { count, duration } from '../../ui/format'
import { Scores } from '../../ui/scores'
import { type Column, costColumn, errorsColumn, timeColumn, tokensColumn } from '../../ui/table'

const lengthOf = (ms: number | null): string => (ms === null ? '' : duration(ms))

export const COLUMNS: readonly Column<Thread>[] = [
  { title: 'Thread', className: 'threads-cell', cell: (thread) => <ThreadCell thread={thread} /> },
  {
    title: 'End user',
    isWide: true,
    cell: ({ end_user: user }) => user !== null && <EndUserLink user={user} />,
  },
  { title: 'Turns', isNumber: true, cell: ({ turn_count: turns }) => count(turns) },
  errorsColumn,
  { ...tokensColumn<Thread>(({ total_tokens: tokens }) => tokens), isWide: true },
  { ...costColumn<Thread>(({ total_cost: cost }) => cost), isWide: true },
  {
    title: 'Median turn',
    isNumber: true,
    isWide: true,
    cell: ({ p50_turn_duration_ms: ms }) => lengthOf(ms),
  },
  { title: 'Scores', isWide: true, cell: (thread) => <Scores {...thread} /> },
  timeColumn('Last active', ({ last_updated: at }) => at),
]

/** What was asked first says more than an id. */
function ThreadCell({ thread: { thread_id: id, first_message: said } }: { thread: Thread }) {
  const project = useProject()
  return (
    <Link className="threads-name" to={weavePath(project.id, 'threads', id)}>
      <span className="brief">{said ?? id}</span>
      {said !== null && <span className="muted cut">{id}</span>}
    </Link>
  )
}

export function EndUserLink({ user }: { user: string }) {
  const project = useProject()
  return (
    <Link className="brief" to={weavePath(project.id, 'end-users', user)}>
      {user}
    </Link>
  )
}
