/** The annotation queues of a project: how much of each is done; making one. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteQueue, type Queue, queuesQuery } from '../../api/queues'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Button, IconButton } from '../../ui/button'
import { count, counted } from '../../ui/format'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import { NewQueue } from './new-queue'
import './queues.css'

export function Queues() {
  const project = useProject()
  const client = useQueryClient()
  const [isNew, setNew] = useState(false)
  const query = useQuery(queuesQuery(project.id))
  const removal = useMutation({
    mutationFn: (id: string) => deleteQueue(project.id, id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['queues', project.id] }),
  })
  return (
    <div className="page">
      <div className="page-head">
        <h1>Annotation</h1>
        {query.data && <span className="muted">{counted(query.data.length, 'queue')}</span>}
        <span className="grow" />
        {removal.error && <span className="bad">{removal.error.message}</span>}
        <Button icon="plus" tone="primary" onClick={() => setNew(true)}>
          New queue
        </Button>
        <NewQueue project={project.id} open={isNew} close={() => setNew(false)} />
      </div>
      <div className="page-body" tabIndex={0}>
        <TableOf
          label="Queues"
          query={query}
          rows={query.data}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: ({ id, name }) => (
                <Link className="brief" to={weavePath(project.id, 'queues', id)}>
                  {name}
                </Link>
              ),
            },
            { title: 'About', isMuted: true, isWide: true, cell: ({ description }) => description },
            {
              title: 'Done',
              cell: ({ name, done, total }) => (
                <span className="row queues-done">
                  <progress max={Math.max(1, total)} value={done} aria-label={`Done of ${name}`} />
                  {count(done)} of {count(total)}
                </span>
              ),
            },
            timeColumn<Queue>('Made', ({ created_at: at }) => at),
            {
              title: <span className="unseen">Delete</span>,
              cell: ({ id, name }) => (
                <IconButton
                  icon="trash"
                  label={`Delete ${name}`}
                  onClick={() => confirm(`Delete the queue ${name}?`) && removal.mutate(id)}
                />
              ),
            },
          ]}
          empty={
            <Empty title="No queue yet">
              <p>Make one, then choose calls in the traces and add them to it.</p>
            </Empty>
          }
        />
      </div>
    </div>
  )
}
