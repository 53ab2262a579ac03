/** Two calls beside each other: how what went in, came out and was noted differs. */
import { useQuery } from '@tanstack/react-query'
import { partRefsIn } from '../../../../domain/refs/in-values'
import { nameOf } from '../../api/calls'
import { queryCalls } from '../../api/client'
import { readRefs, withValues } from '../../api/refs'
import { Changed } from '../../ui/changes'
import { Dialog } from '../../ui/dialog'
import { changesOf } from '../../ui/diff'
import { dateTime } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { useZone } from '../../ui/time'

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
      <Differences {...rest} />
    </Dialog>
  )
}

function Differences({ project, ids }: Pick<Props, 'project' | 'ids'>) {
  const [zone] = useZone()
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', project, 'compared', ...ids],
    queryFn: async ({ signal }) => {
      const found = await queryCalls(
        {
          project_id: project,
          filter: { call_ids: [...ids] },
          sort_by: [{ field: 'started_at', direction: 'asc' }],
          columns: ['id', 'started_at', ...COMPARED],
        },
        signal,
      )
      return withValues(found, await readRefs(partRefsIn(found), signal))
    },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const [before, after] = data
  if (before === undefined || after === undefined) return <p>One of the calls is not there any more.</p>
  const values = [before, after].map((call) => Object.fromEntries(COMPARED.map((name) => [name, call[name]])))
  const changes = changesOf(values[0], values[1])
  return (
    <div className="changes">
      <p className="muted">
        From {nameOf(before)} of {dateTime(before.started_at, zone)} to {nameOf(after)} of{' '}
        {dateTime(after.started_at, zone)}.
      </p>
      {changes.length === 0 && <p>They are the same.</p>}
      {changes.map((change) => (
        <Changed key={change.path} change={change} />
      ))}
    </div>
  )
}
