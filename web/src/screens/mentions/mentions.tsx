/** The notes that mention who is signed in. To look at them is to have seen them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Mention, mentionsQuery, sawMentions } from '../../api/mentions'
import { callPath, weavePath } from '../../app/address'
import { Empty, Failed, Loading } from '../../ui/states'
import { Table } from '../../ui/table'
import { Time } from '../../ui/time'

export function Mentions() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({ ...mentionsQuery, staleTime: 0 })
  const newest = data?.new ? data.mentions.find(({ is_new: isNew }) => isNew)?.at : undefined
  // They stay marked as new until the page is opened again.
  useEffect(() => {
    if (newest !== undefined) void sawMentions(newest).catch(() => undefined)
    return () => void client.invalidateQueries({ queryKey: mentionsQuery.queryKey })
  }, [newest, client])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="page">
      <div className="page-head">
        <h1>Mentions</h1>
      </div>
      <div className="page-body">
        {data.mentions.length === 0 ? (
          <Empty title="Nobody mentioned you">
            <p>People mention you in a note on a call by @ and your name.</p>
          </Empty>
        ) : (
          <Table
            rows={data.mentions}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Note', cell: (one) => <Note {...one} /> },
              { title: 'By', cell: ({ by }) => by },
              { title: 'Project', cell: ({ project_id: project }) => project },
              { title: 'When', cell: ({ at }) => <Time at={at} relative /> },
            ]}
          />
        )}
      </div>
    </div>
  )
}

function Note({ note, project_id: project, call_id: call, is_new: isNew }: Mention) {
  return (
    <>
      {isNew && <span className="chip accent">new</span>}{' '}
      <Link to={call === '' ? weavePath(project, 'traces') : callPath(project, call)}>{note}</Link>
    </>
  )
}
