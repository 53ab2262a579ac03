/** A leaderboard: models by what they reached in evaluations, the best first. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { runsOfQuery } from '../../api/evaluations'
import { objectQuery } from '../../api/objects'
import { weavePath } from '../../app/address'
import { useProject, useShownId } from '../../app/project'
import { useTitleOf } from '../../app/title'
import { Empty, Failed, Loading } from '../../ui/states'
import { nameInRef } from '../evaluations/compare'
import { bestOf, type Column, columnsOf, ranked, rowsOf } from './board'

export function Leaderboard() {
  const project = useProject()
  const objectId = useShownId()
  const board = useQuery(objectQuery(project.id, objectId, 'latest'))
  const columns = columnsOf(board.data?.val)
  const refs = [...new Set(columns.map(({ evaluation }) => evaluation))]
  const runs = useQuery(runsOfQuery(project.id, refs))
  const val = (board.data?.val ?? {}) as { name?: unknown; description?: unknown }
  const name = typeof val.name === 'string' && val.name !== '' ? val.name : objectId
  useTitleOf(name)
  const failed = [board, runs].find(({ error }) => error !== null)
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'leaderboards')}>Leaderboards</Link>
        <span className="muted">/</span>
        <h1 className="cut">{name}</h1>
        <span className="grow" />
        <Link to={weavePath(project.id, 'objects', objectId)}>Versions</Link>
      </div>
      <div className="page-body" tabIndex={0} role="region" aria-label="The leaderboard">
        {typeof val.description === 'string' && val.description !== '' && (
          <p className="page-note">{val.description}</p>
        )}
        {failed ? (
          <Failed error={failed.error} retry={() => void failed.refetch()} />
        ) : board.data === undefined || (refs.length > 0 && runs.data === undefined) ? (
          <Loading />
        ) : columns.length === 0 ? (
          <Empty title="This leaderboard has no columns">
            <p>Each column names an evaluation, a scorer and a metric of its summary.</p>
          </Empty>
        ) : (
          <Ranking columns={columns} runs={runs.data ?? []} project={project.id} />
        )}
      </div>
    </div>
  )
}

function Ranking({
  columns,
  runs,
  project,
}: {
  columns: readonly Column[]
  runs: Parameters<typeof rowsOf>[1]
  project: string
}) {
  const { by = 0 } = useSearch({ from: '/inside/$entity/$project/weave/leaderboards/$id' })
  const navigate = useNavigate()
  const rows = rowsOf(columns, runs)
  const best = bestOf(rows, columns)
  if (rows.length === 0)
    return (
      <Empty title="No run of these evaluations has ended">
        <p>Run {columns.map(({ evaluation }) => nameInRef(evaluation)).join(', ')} on a model.</p>
      </Empty>
    )
  return (
    <table className="table" aria-label="Ranking">
      <thead>
        <tr>
          <th>#</th>
          <th>Model</th>
          {columns.map(({ evaluation, scorer, path, lessIsBetter }, i) => (
            <th
              key={`${evaluation} ${scorer} ${path}`}
              className="right"
              aria-sort={i === by ? (lessIsBetter ? 'ascending' : 'descending') : 'none'}
            >
              <button
                type="button"
                className="button quiet"
                aria-pressed={i === by}
                onClick={() => void navigate({ to: '.', search: i === 0 ? {} : { by: i } })}
              >
                {nameInRef(evaluation)} {[scorer, path].filter(Boolean).join('.')}
                {lessIsBetter ? ' ↑' : ' ↓'}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ranked(rows, columns, by).map(({ model, cells }, place) => (
          <tr key={model}>
            <td>{place + 1}</td>
            <td>{nameInRef(model)}</td>
            {cells.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
              <td key={i} className="right">
                {cell && (
                  <Link to={weavePath(project, 'evaluations', 'compare')} search={{ runs: cell.run }}>
                    {cell.value === undefined ? (
                      'no score'
                    ) : cell.value === best[i] ? (
                      <strong>{shown(cell.value)}</strong>
                    ) : (
                      shown(cell.value)
                    )}
                  </Link>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const shown = (value: number): string => String(Number(value.toPrecision(4)))
