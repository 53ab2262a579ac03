/** The draft on all rows of a dataset as an evaluation: a model object and a run for each model, scored and kept. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../../api/client'
import { createEvaluation, startEvaluation } from '../../api/evaluations'
import { objectRef } from '../../api/object-ref'
import { type Obj, objectsQuery } from '../../api/objects'
import { weavePath } from '../../app/address'
import { Button } from '../../ui/button'
import { NumberField } from '../../ui/fields'
import '../evaluations/evaluations.css'
import { Progress } from '../evaluations/start'
import { refOf } from '../objects/kinds'
import { type Columns, leftOut, modelValue } from './dataset-fields'
import type { Draft } from './draft'

interface Props {
  project: string
  draft: Draft
  dataset: Obj
  columns: Columns
  problem: string | undefined
}

export function AsEvaluation(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Evaluate all rows</summary>
      {isOpen && <Form {...props} />}
    </details>
  )
}

function Form({ project, draft, dataset, columns, problem }: Props) {
  const client = useQueryClient()
  const { data } = useInfiniteQuery(objectsQuery(project, 'Scorer'))
  const scorers = data?.pages.flat() ?? []
  const [name, setName] = useState(`${dataset.object_id}-evaluation`)
  const [trials, setTrials] = useState<number | null>(1)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const lost = leftOut(draft)
  const start = useMutation({
    mutationFn: async () => {
      const evaluation = await createEvaluation(project, {
        ...{ name, dataset: refOf(dataset), scorers: [...chosen], trials: trials ?? 1 },
      })
      const runs: string[] = []
      for (const model of draft.models.filter((one) => one !== '')) {
        const object_id = `${draft.prompt ?? 'playground'}-${model}`.replace(/[^\w.-]/g, '_').slice(0, 128)
        const val = modelValue(object_id, model, draft, columns)
        const { digest } = await post('/obj/create', { obj: { project_id: project, object_id, val } })
        const ref = objectRef(project, object_id, digest)
        runs.push((await startEvaluation(project, evaluation, ref)).call_id)
      }
      return runs
    },
    onSuccess: () =>
      Promise.all(
        ['evaluations', 'objects'].map((kind) => client.invalidateQueries({ queryKey: [kind, project] })),
      ),
  })
  const { data: runs } = start
  if (runs)
    return (
      <div className="playground-evaluate">
        {runs.map((run) => (
          <Progress key={run} project={project} run={run} />
        ))}
        <p className="row">
          {runs.length > 1 && (
            <Link to={weavePath(project, 'evaluations', 'compare')} search={{ runs: runs.join(',') }}>
              Compare the models
            </Link>
          )}
          <Button tone="quiet" onClick={() => start.reset()}>
            Another one
          </Button>
        </p>
      </div>
    )
  return (
    <form
      className="playground-evaluate"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate()
      }}
    >
      <label>
        Evaluation
        <input
          className="input"
          required
          pattern="[\w.\-]{1,128}"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <NumberField
        label="Trials of a row"
        value={trials}
        set={setTrials}
        min={1}
        max={20}
        step={1}
        required
      />
      <fieldset>
        <legend>Scorers</legend>
        {scorers.length === 0 && <p className="muted">None is saved: answers are kept without scores.</p>}
        {scorers.map((one) => {
          const ref = refOf(one)
          const isChosen = chosen.includes(ref)
          return (
            <label key={ref} className="check">
              <input
                type="checkbox"
                checked={isChosen}
                onChange={() =>
                  setChosen(isChosen ? chosen.filter((other) => other !== ref) : [...chosen, ref])
                }
              />
              {one.object_id}
            </label>
          )
        })}
      </fieldset>
      {lost.length > 0 && (
        <p className="muted">An evaluation leaves out {lost.join(', ')}: its models do not have them.</p>
      )}
      {start.error && (
        <p className="bad" role="alert">
          {start.error.message}
        </p>
      )}
      <Button type="submit" disabled={problem !== undefined || start.isPending}>
        Start the evaluation
      </Button>
    </form>
  )
}
