/** Has the whole log checked, and shows what was found. */
import { useQuery } from '@tanstack/react-query'
import { verifyAudit } from '../../api/audit'
import { Snippet } from '../../ui/copy'
import { counted } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { Table } from '../../ui/table'
import { headText } from './shown'

export function Verify() {
  const { data, error, refetch } = useQuery({
    queryKey: ['audit-check'],
    queryFn: verifyAudit,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const { lines, chains, heads, problems, problem_count: count } = data
  const read = `${counted(lines, 'line')} in ${counted(chains, 'chain')}`
  return (
    <div className="settings-form">
      {count === 0 ? (
        <p className="good">{read}: no line was changed or taken out.</p>
      ) : (
        <>
          <p className="bad">
            {read}: {counted(count, 'problem')}.
          </p>
          <Table
            label="Problems"
            rows={problems}
            keyOf={({ chain, seq }, at) => `${chain} ${seq} ${at}`}
            columns={[
              { title: 'Kind', cell: ({ kind }) => kind },
              { title: 'Line', cell: ({ chain, seq }) => <code>{`${chain}:${seq}`}</code> },
              { title: 'What', cell: ({ message }) => message },
            ]}
          />
        </>
      )}
      <p className="muted">
        Note these ends elsewhere. Given to <code>heddle audit verify --head</code> later, they show what was
        cut off since.
      </p>
      <Snippet text={heads.map(headText).join('\n')} />
    </div>
  )
}
