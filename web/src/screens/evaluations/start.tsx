/** Starts an evaluation that the server runs, and follows it to its end. */

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { startEvaluation, statusQuery } from '../../api/evaluations'
import { type Obj, objectsQuery } from '../../api/objects'
import { callPath, weavePath } from '../../app/address'
import { Button } from '../../ui/button'
import { count } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { refOf } from '../objects/kinds'

/** What the server can call by itself. */
const CALLABLE = 'LLMStructuredCompletionModel'

export function StartEvaluation({ project }: { project: string }) {
  const client = useQueryClient()
  const evaluations = useInfiniteQuery(objectsQuery(project, 'Evaluation'))
  const models = useInfiniteQuery(objectsQuery(project, 'Model'))
  const starting = useMutation({
    mutationFn: (form: FormData) =>
      startEvaluation(project, String(form.get('evaluation')), String(form.get('model'))),
    onSuccess: () => client.invalidateQueries({ queryKey: ['evaluations', project] }),
  })
  const failed = [evaluations, models].find(({ error }) => error !== null)
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  if (evaluations.data === undefined || models.data === undefined) return <Loading />
  const callable = models.data.pages.flat().filter(({ leaf_object_class: leaf }) => leaf === CALLABLE)
  const known = evaluations.data.pages.flat()
  if (starting.data) return <Progress project={project} run={starting.data.call_id} />
  if (known.length === 0 || callable.length === 0)
    return (
      <p>
        The server runs an <code>Evaluation</code> on a <code>{CALLABLE}</code>: a model of a provider, or one
        that is served here. {known.length === 0 ? 'No evaluation' : 'No such model'} is saved in this project
        yet. Models that are code are evaluated by a client.
      </p>
    )
  return (
    <form
      className="evaluations-start"
      onSubmit={(event) => {
        event.preventDefault()
        starting.mutate(new FormData(event.currentTarget))
      }}
    >
      <Choice name="evaluation" title="Evaluation" of={known} />
      <Choice name="model" title="Model" of={callable} />
      {starting.error && (
        <p className="bad" role="alert">
          {starting.error.message}
        </p>
      )}
      <Button tone="primary" type="submit" icon="play" disabled={starting.isPending}>
        Start
      </Button>
    </form>
  )
}

function Choice({ name, title, of }: { name: string; title: string; of: readonly Obj[] }) {
  return (
    <label>
      {title}
      <select className="select" name={name}>
        {of.map((one) => (
          <option key={one.digest} value={refOf(one)}>
            {one.object_id} v{one.version_index}
          </option>
        ))}
      </select>
    </label>
  )
}

/** How far a run is, and where its results are. */
export function Progress({ project, run }: { project: string; run: string }) {
  const { data: status, error, refetch } = useQuery(statusQuery(project, run))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const results = (
    <Link to={weavePath(project, 'evaluations', 'compare')} search={{ runs: run }}>
      Results
    </Link>
  )
  switch (status?.code) {
    case 'running':
      return (
        <div className="evaluations-start" role="status">
          <p>
            {count(status.completed_rows)} of {count(status.total_rows)} rows are done.{' '}
            {status.completed_rows === 0
              ? 'It waits for the evaluation worker.'
              : 'You can leave this page; the run continues.'}
          </p>
          <progress
            max={status.total_rows || 1}
            value={status.completed_rows}
            aria-label="Rows that are done"
          />
          {results}
        </div>
      )
    case 'failed':
      return (
        <div className="evaluations-start">
          <p className="bad" role="alert">
            {status.error ?? 'It failed.'}
          </p>
          <Link to={callPath(project, run)}>Trace</Link>
        </div>
      )
    case 'complete':
      return (
        <div className="evaluations-start" role="status">
          <p>All rows are done.</p>
          {results}
        </div>
      )
    default:
      return <Loading what="Starting" />
  }
}
