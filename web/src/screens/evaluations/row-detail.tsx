/** A row of data with all that the runs made of it. */
import { Link } from '@tanstack/react-router'
import type { ResultRow } from '../../api/evaluations'
import { useVisit } from '../../api/visit'
import { callPath } from '../../app/address'
import { IconButton } from '../../ui/button'
import { flatten } from '../../ui/export'
import { duration } from '../../ui/format'
import { Content } from '../trace/content'

interface Props {
  row: ResultRow
  runs: readonly { id: string; name: string }[]
  projectId: string
  close: () => void
}

export function RowDetail({ row, runs, projectId, close }: Props) {
  const visit = useVisit()
  return (
    <aside className="evaluations-row" aria-label="The row">
      <div className="row">
        <h2 className="grow">Row</h2>
        <IconButton icon="close" label="Close the row" onClick={close} />
      </div>
      <Content value={row.raw_data_row} />
      {runs.map(({ id, name }) => (
        <section key={id}>
          <h3>{name}</h3>
          {(row.evaluations.find((one) => one.evaluation_call_id === id)?.trials ?? []).map((trial) => (
            <div key={trial.predict_and_score_call_id} className="evaluations-trial">
              <Content value={trial.model_output} />
              <div className="evaluations-scores">
                {Object.entries(flatten(trial.scores)).map(([score, value]) => (
                  <span key={score} className="evaluations-score">
                    <span className="muted">{score}</span> {String(value)}
                  </span>
                ))}
                {trial.model_latency_seconds !== null && (
                  <span className="muted">{duration(trial.model_latency_seconds * 1000)}</span>
                )}
                {!visit && (
                  <Link to={callPath(projectId, trial.predict_call_id ?? trial.predict_and_score_call_id)}>
                    Trace
                  </Link>
                )}
              </div>
            </div>
          ))}
        </section>
      ))}
    </aside>
  )
}
