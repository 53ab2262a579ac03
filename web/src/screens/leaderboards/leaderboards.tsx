/** The leaderboards of a project. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { objectsQuery } from '../../api/objects'
import { useProject } from '../../app/project'
import { NextPage } from '../../ui/button'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'

export function Leaderboards() {
  const project = useProject()
  const query = useInfiniteQuery(objectsQuery(project.id, 'Leaderboard'))
  const { data, error, refetch } = query
  const boards = data?.pages.flat()
  return (
    <div className="page">
      <div className="page-head">
        <Link to={`/${project.id}/weave/evaluations` as string}>Evaluations</Link>
        <span className="muted">/</span>
        <h1>Leaderboards</h1>
      </div>
      <div className="page-body" tabIndex={0} role="region" aria-label="Leaderboards">
        {error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : boards === undefined ? (
          <Loading />
        ) : boards.length === 0 ? (
          <Empty title="No leaderboard yet">
            <p>
              A client saves one with <code>weave.publish(Leaderboard(name=…, columns=[…]))</code>.
            </p>
          </Empty>
        ) : (
          <table className="table">
            <thead>
              <tr>
                <th>Leaderboard</th>
                <th>Saved</th>
              </tr>
            </thead>
            <tbody>
              {boards.map(({ object_id: id, created_at: at }) => (
                <tr key={id}>
                  <td>
                    <Link to={`/${project.id}/weave/leaderboards/${encodeURIComponent(id)}` as string}>
                      {id}
                    </Link>
                  </td>
                  <td className="muted">
                    <Time at={at} relative />
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
