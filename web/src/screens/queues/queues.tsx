/** The annotation queues of a project: how much of each is done; making one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteQueue, queuesQuery } from '../../api/queues'
import { useProject } from '../../app/project'
import { Button, IconButton } from '../../ui/button'
import { count } from '../../ui/format'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import { NewQueue } from './new-queue'
import './queues.css'

export function Queues() {
  const project = useProject()
  const client = useQueryClient()
  const [isNew, setNew] = useState(false)
  const { data, error, refetch } = useQuery(queuesQuery(project.id))
  const removal = useMutation({
    mutationFn: (id: string) => deleteQueue(project.id, id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['queues', project.id] }),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="page">
      <div className="page-head">
        <h1>Annotation</h1>
        <span className="muted">{count(data.length)} queues</span>
        <span className="grow" />
        {removal.error && <span className="bad">{removal.error.message}</span>}
        <Button icon="plus" tone="primary" onClick={() => setNew(true)}>
          New queue
        </Button>
        <NewQueue project={project.id} open={isNew} close={() => setNew(false)} />
      </div>
      <div className="page-body" tabIndex={0}>
        {data.length === 0 ? (
          <Empty title="No queue yet">
            <p>Make one, then choose calls in the traces and add them to it.</p>
          </Empty>
        ) : (
          <table className="table" aria-label="Queues">
            <thead>
              <tr>
                <th>Name</th>
                <th>About</th>
                <th>Done</th>
                <th>Made</th>
                <th>
                  <span className="unseen">Delete</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ id, name, description, total, done, created_at: at }) => (
                <tr key={id}>
                  <td>
                    <Link to={`/${project.id}/weave/queues/${id}` as string}>{name}</Link>
                  </td>
                  <td className="muted">{description}</td>
                  <td>
                    <span className="row">
                      <progress max={Math.max(1, total)} value={done} aria-label={`Done of ${name}`} />
                      {count(done)} of {count(total)}
                    </span>
                  </td>
                  <td className="muted">
                    <Time at={at} relative />
                  </td>
                  <td>
                    <IconButton
                      icon="trash"
                      label={`Delete ${name}`}
                      onClick={() => confirm(`Delete the queue ${name}?`) && removal.mutate(id)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  )
}
