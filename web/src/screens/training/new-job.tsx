/** Starts a job from a dataset or from calls, and shows before what would be trained. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { datasetNamesQuery } from '../../api/objects'
import { type Preview, previewOf, servedModelsQuery, startJob, trainedModelsQuery } from '../../api/training'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { count, decimal } from '../../ui/format'
import { CheckFields, RewardFields } from './reward-fields'
import { Sample } from './sample'
import { type Fields, guidanceOf, optionsOf, sourceOf } from './start'
import './training.css'

const KINDS = ['sft', 'dpo', 'kto', 'rl'] as const
const TEMPLATES = ['system', 'prompt', 'completion', 'rejected'] as const

export function NewJob() {
  const project = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/training/new' })
  const navigate = useNavigate()
  const [fields, setFields] = useState<Fields>({
    from: search.calls ? 'calls' : 'dataset',
    dataset: search.dataset ?? '',
    q: search.q ?? '',
    kind: search.kind ?? 'sft',
    reward: search.reward ?? 'none',
    rewardName: search.rewardName ?? '',
    rewardPath: search.rewardPath ?? '',
  })
  const { data: datasets = [] } = useQuery(datasetNamesQuery(project.id))
  const { data: models = [] } = useQuery(trainedModelsQuery(project.id))
  const { data: served = [] } = useQuery(servedModelsQuery)
  const kind = KINDS.find((one) => one === fields.kind) ?? 'sft'
  // A model that is there keeps its base.
  const base = models.find(({ name }) => name === fields.model)?.base_model ?? fields.base ?? served[0] ?? ''
  // Only reinforcement asks a scorer.
  const shown = kind !== 'rl' && fields.reward === 'judge' ? { ...fields, reward: 'none' } : fields
  const source = () => sourceOf(project.id, shown, search, Date.now())
  const guidance = () => guidanceOf(project.id, kind, shown)
  const preview = useMutation({
    mutationFn: async () =>
      previewOf({ training_data: source(), kind, examples: 5, reward: guidance().reward ?? null }),
  })
  const client = useQueryClient()
  const start = useMutation({
    mutationFn: async () =>
      startJob(project.id, { name: fields.model ?? '', base }, kind, {
        ...{ training_data: source(), options: optionsOf(kind, fields), guidance: guidance() },
      }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['training'] })
      return navigate({ to: weavePath(project.id, 'training'), search: { jobs: id } })
    },
  })
  const field = (name: string) => ({
    name,
    value: shown[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => {
      preview.reset()
      setFields((old) => ({ ...old, [name]: target.value }))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate()
  }
  const isCalls = fields.from === 'calls'
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'training')}>Training</Link>
        <span className="muted">/</span>
        <h1>Start a job</h1>
      </div>
      <div className="page-body training-new" tabIndex={0}>
        <form onSubmit={submit}>
          <label>
            Train on
            <select className="select" {...field('from')}>
              <option value="dataset">a dataset</option>
              <option value="calls">traces</option>
            </select>
          </label>
          {isCalls ? (
            <label>
              Those that match, as in the traces table; empty: all
              <input className="input mono" spellCheck={false} placeholder="status:success" {...field('q')} />
            </label>
          ) : (
            <label>
              Dataset
              <select className="select" required {...field('dataset')}>
                <option value="">choose one</option>
                {datasets.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          <label>
            How
            <select className="select" {...field('kind')}>
              <option value="sft">supervised: learn the answers</option>
              <option value="dpo">preferences: learn which of two answers is better</option>
              <option value="kto">judgements: learn which answers are good and which bad</option>
              <option value="rl">reinforcement: learn from rewards</option>
            </select>
          </label>
          <RewardFields project={project.id} fields={shown} field={field} isRl={kind === 'rl'} />
          {(kind === 'sft' || kind === 'kto') && shown.reward !== 'none' && (
            <label>
              {kind === 'sft' ? 'Only those with at least' : 'Good are those with at least (0.5)'}
              <input className="input" type="number" step="any" {...field('minReward')} />
            </label>
          )}
          {kind === 'rl' && <CheckFields project={project.id} fields={shown} field={field} />}
          <details>
            <summary>Rows that are not chats</summary>
            {TEMPLATES.filter((name) => name !== 'rejected' || kind === 'dpo').map((name) => (
              <label key={name} className="training-template">
                {name}
                <textarea className="input mono" rows={2} placeholder="{inputs.question}" {...field(name)} />
              </label>
            ))}
          </details>
          <label>
            New or existing model
            <input
              className="input"
              required
              list="training-models"
              pattern="[^\/:\s]+"
              {...field('model')}
            />
          </label>
          <datalist id="training-models">
            {models.map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
          <label>
            Base model
            <input
              className="input"
              required
              list="training-bases"
              {...field('base')}
              value={base}
              readOnly={models.some(({ name }) => name === fields.model)}
            />
          </label>
          <datalist id="training-bases">
            {served.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <div className="row">
            <label>
              Learning rate{' '}
              <input className="input training-number" inputMode="decimal" {...field('learningRate')} />
            </label>
            {kind !== 'rl' && (
              <>
                <label>
                  Batch{' '}
                  <input className="input training-number" inputMode="numeric" {...field('batchSize')} />
                </label>
                <label>
                  Epochs <input className="input training-number" inputMode="numeric" {...field('epochs')} />
                </label>
              </>
            )}
            {(kind === 'dpo' || kind === 'kto') && (
              <label>
                Beta <input className="input training-number" inputMode="decimal" {...field('beta')} />
              </label>
            )}
          </div>
          <div className="row">
            <Button disabled={preview.isPending} onClick={() => preview.mutate()}>
              Preview
            </Button>
            <Button type="submit" tone="primary" disabled={start.isPending}>
              {start.isPending ? 'Reading the data…' : 'Start'}
            </Button>
          </div>
          {(start.error ?? preview.error) && (
            <p className="bad" role="alert">
              {(start.error ?? preview.error)!.message}
            </p>
          )}
        </form>
        {preview.data && <Shown preview={preview.data} />}
      </div>
    </div>
  )
}

function Shown({ preview }: { preview: Preview }) {
  const { rows_read: read, rows_used: used, left_out: left, examples, mean_reward: reward } = preview
  return (
    <section aria-label="What would be trained">
      <h2>
        {count(used)} of {count(read)}
        {preview.has_more ? ' first' : ''} rows would be trained on
      </h2>
      {reward !== null && <p className="muted">mean reward {decimal(reward)}</p>}
      <ul>
        {left.map(({ message, count: rows }) => (
          <li key={message}>
            {count(rows)} left out: {message}
          </li>
        ))}
      </ul>
      {examples.map((example, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an example is its place
        <article key={i} className="panel training-sample" aria-label={`Example ${i + 1}`}>
          <Sample value={example} />
        </article>
      ))}
    </section>
  )
}
