/** The leaderboards of a project. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Obj, objectsQuery } from '../../api/objects'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'

export function Leaderboards() {
  const project = useProject()
  const query = useInfiniteQuery(objectsQuery(project.id, 'Leaderboard'))
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'evaluations')}>Evaluations</Link>
        <span className="muted">/</span>
        <h1>Leaderboards</h1>
      </div>
      <div className="page-body" tabIndex={0} role="region" aria-label="Leaderboards">
        <TableOf
          query={query}
          rows={query.data?.pages.flat()}
          keyOf={({ object_id: id }) => id}
          columns={[
            {
              title: 'Leaderboard',
              cell: ({ object_id: id }) => <Link to={weavePath(project.id, 'leaderboards', id)}>{id}</Link>,
            },
            timeColumn<Obj>('Saved', ({ created_at: at }) => at),
          ]}
          empty={
            <Empty title="No leaderboard yet">
              <p>
                A client saves one with <code>weave.publish(Leaderboard(name=…, columns=[…]))</code>.
              </p>
            </Empty>
          }
        />
      </div>
    </div>
  )
}
