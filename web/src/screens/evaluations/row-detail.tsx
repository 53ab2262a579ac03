/** A row of data with all that the runs made of it. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ResultRow } from '../../api/evaluations'
import { useVisit } from '../../api/visit'
import { callPath } from '../../app/address'
import { Button, IconButton } from '../../ui/button'
import { flatten } from '../../ui/export'
import { duration } from '../../ui/format'
import { Content } from '../trace/content'
import { Feedback } from '../trace/feedback'

interface Props {
  row: ResultRow
  runs: readonly { id: string; name: string }[]
  projectId: string
  /** makes a dataset of the row; absent: none can be made */
  keep?: () => void
  close: () => void
}

export function RowDetail({ row, runs, projectId, keep, close }: Props) {
  const visit = useVisit()
  return (
    <aside className="evaluations-row" aria-label="The row">
      <div className="row">
        <h2 className="grow">Row</h2>
        {keep && (
          <Button tone="quiet" onClick={keep}>
            To a dataset…
          </Button>
        )}
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
              {!visit && <Notes project={projectId} callId={trial.predict_and_score_call_id} />}
            </div>
          ))}
        </section>
      ))}
    </aside>
  )
}

/** What people say of a trial: feedback on its call, read when it is looked at. */
function Notes({ project, callId }: { project: string; callId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Notes</summary>
      {isOpen && <Feedback project={project} callId={callId} />}
    </details>
  )
}
