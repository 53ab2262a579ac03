/** One queue, call by call: the call on one side, the questions on the other; worked through by keys. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { post } from '../../api/client'
import { type Item, itemsQuery, queueQuery, setState } from '../../api/queues'
import { refsQuery } from '../../api/refs'
import { useMay } from '../../api/session'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject, useShownId } from '../../app/project'
import { useTitleOf } from '../../app/title'
import { Button } from '../../ui/button'
import { count } from '../../ui/format'
import { Empty, Failed, Loading } from '../../ui/states'
import { refOf } from '../trace/data'
import { Detail } from '../trace/detail'
import type { Tab } from '../trace/search'
import '../trace/trace.css'
import type { StartSearch } from '../training/search'
import { AnnotatorsDialog } from './annotators'
import { type Field, fieldOf, nextOpen, optionText } from './fields'
import './queues.css'

type Values = Record<string, unknown>

export function QueuePage() {
  const project = useProject()
  const queueId = useShownId()
  const { item: given, own = false } = useSearch({ from: '/inside/$entity/$project/weave/queues/$id' })
  const [isAsking, setAsking] = useState(false)
  const [chosen, setChosen] = useState<Tab>('chat')
  const navigate = useNavigate()
  const { data: queue, error } = useQuery(queueQuery(project.id, queueId))
  const { data: items, error: itemsError, refetch } = useQuery(itemsQuery(project.id, queueId, own))
  const { data: specs, error: specsError, isLoading } = useQuery(refsQuery(queue?.scorer_refs ?? []))
  useTitleOf(queue?.name)
  const wrong = error ?? itemsError ?? specsError
  if (wrong) return <Failed error={wrong} retry={() => void refetch()} />
  if (queue === undefined || items === undefined || isLoading) return <Loading />
  const states = items.map(({ annotation_state: state }) => state)
  const named = items.findIndex(({ id }) => id === given)
  const at = named >= 0 ? named : (nextOpen(states, -1) ?? 0)
  const go = (to: number | undefined) => {
    const next = to === undefined ? undefined : items[to]
    if (next) void navigate({ to: '.', search: { item: next.id, own: own || undefined }, replace: true })
  }
  const fields = queue.scorer_refs.flatMap((ref) => fieldOf(ref, specs?.get(ref)) ?? [])
  const done = states.filter((state) => state === 'completed' || state === 'skipped').length
  const item = items[at]
  const judged = fields.find(isJudged)
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'queues')}>Annotation</Link>
        <span className="muted">/</span>
        <h1 className="cut">{queue.name}</h1>
        <progress max={Math.max(1, items.length)} value={done} aria-label="Done" />
        <span className="muted" role="status">
          {count(done)} of {count(items.length)} done
        </span>
        <span className="grow" />
        {judged && done > 0 && (
          <Link
            className="button"
            to={weavePath(project.id, 'training', 'new')}
            search={trainedOn(judged.name)}
          >
            Train on the answers
          </Link>
        )}
        <label className="check" title="Show me calls that others have already annotated">
          <input
            type="checkbox"
            checked={own}
            onChange={({ target }) =>
              void navigate({ to: '.', search: { own: target.checked || undefined }, replace: true })
            }
          />
          my own
        </label>
        <Button icon="annotation" onClick={() => setAsking(true)}>
          Annotators
        </Button>
        <AnnotatorsDialog
          project={project.id}
          queue={queueId}
          total={items.length}
          open={isAsking}
          close={() => setAsking(false)}
        />
      </div>
      {item === undefined ? (
        <Empty title="The queue is empty">
          <p>
            Choose calls in the <Link to={weavePath(project.id, 'traces')}>traces</Link> and add them to it.
          </p>
        </Empty>
      ) : (
        <div className="queues">
          <Detail project={project.id} callId={item.call_id} {...{ chosen, setChosen }} />
          <Form
            key={item.id}
            project={project.id}
            item={item}
            place={`${at + 1} of ${items.length}`}
            about={queue.description}
            fields={fields}
            step={(by) => go(Math.max(0, Math.min(items.length - 1, at + by)))}
            next={() => go(nextOpen(states.with(at, 'completed'), at) ?? at)}
          />
        </div>
      )}
    </div>
  )
}

/** Yes or no. */
const isJudged = (field: Field) => field.kind === 'choice' && field.options.includes(true)

/** What begins a job that learns which of the calls are good: all that have an answer to the question. */
function trainedOn(question: string): StartSearch {
  const type = `wandb.annotation.${question}`
  return {
    ...{ calls: true, all: true, q: `feedback.[${type}].payload.value:*` },
    ...{ kind: 'kto', reward: 'feedback', rewardName: type, rewardPath: 'value' },
  }
}

function Form({
  project,
  item,
  place,
  about,
  fields,
  step,
  next,
}: {
  project: string
  item: Item
  place: string
  about: string
  fields: readonly Field[]
  step: (by: number) => void
  next: () => void
}) {
  const client = useQueryClient()
  const [values, setValues] = useState<Values>({})
  const [current, setCurrent] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { annotation_state: state } = item
  const isDone = state === 'completed' || state === 'skipped'
  const mayFill = useMay('write', project, 'Annotation queues')
  const mayGive = useMay('write', project, 'Feedback')
  const mayAnswer = mayFill && mayGive
  const save = useMutation({
    mutationFn: async (to: 'completed' | 'skipped') => {
      const given = to === 'skipped' ? [] : fields.filter(({ ref }) => isGiven(values[ref]))
      for (const { ref, name } of given)
        await post('/feedback/create', {
          project_id: project,
          weave_ref: refOf(project, item.call_id),
          feedback_type: `wandb.annotation.${name}`,
          annotation_ref: ref,
          queue_id: item.queue_id,
          payload: { value: values[ref] },
        })
      // Who skipped it may still add to it, and stays one who skipped it.
      if (state !== 'skipped') await setState(project, item, to)
    },
    onSuccess: async () => {
      next()
      await client.invalidateQueries({ queryKey: ['queues', project] })
      await client.invalidateQueries({ queryKey: ['feedback', project, item.call_id] })
    },
  })
  const set = (ref: string, value: unknown) => setValues((old) => ({ ...old, [ref]: value }))
  const isReady = mayAnswer && fields.some(({ ref }) => isGiven(values[ref])) && !save.isPending
  const maySkip = mayFill && !isDone && !save.isPending
  const choose = (number: number) => {
    const field = fields[current]
    if (field?.kind !== 'choice' || field.options[number - 1] === undefined) return
    set(field.ref, field.options[number - 1])
    if (current < fields.length - 1) setCurrent(current + 1)
  }
  useShortcuts([
    { keys: 'j', what: 'Next call', run: () => step(1) },
    { keys: 'k', what: 'Previous call', run: () => step(-1) },
    { keys: 's', what: 'Skip the call', run: () => maySkip && save.mutate('skipped') },
    { keys: 'Enter', what: 'Save and go on', run: () => isReady && save.mutate('completed') },
    ...Array.from({ length: 9 }, (_, i) => ({
      keys: String(i + 1),
      what: `Choose answer ${i + 1}`,
      run: () => choose(i + 1),
    })),
  ])
  return (
    <form
      ref={form}
      className="queues-answers"
      aria-label="Answers"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) save.mutate('completed')
      }}
    >
      <p className="muted">
        {place}
        {isDone && ` · ${state}`}
      </p>
      {about !== '' && <p>{about}</p>}
      {!mayAnswer && <p className="muted">You may read this queue, not answer.</p>}
      {fields.length === 0 && <p className="muted">The queue asks nothing.</p>}
      {fields.map((field, i) => (
        <Answer
          key={field.ref}
          field={field}
          isCurrent={i === current}
          value={values[field.ref]}
          set={(value) => set(field.ref, value)}
          focus={() => setCurrent(i)}
        />
      ))}
      <div className="row">
        <Button type="submit" tone="primary" disabled={!isReady}>
          Save and go on <kbd>Enter</kbd>
        </Button>
        <Button disabled={!maySkip} onClick={() => save.mutate('skipped')}>
          Skip <kbd>s</kbd>
        </Button>
      </div>
      {save.error && (
        <p className="bad" role="alert">
          {save.error.message}
        </p>
      )}
    </form>
  )
}

const isGiven = (value: unknown) => value !== undefined && value !== '' && !Number.isNaN(value)

function Answer({
  field,
  isCurrent,
  value,
  set,
  focus,
}: {
  field: Field
  isCurrent: boolean
  value: unknown
  set: (value: unknown) => void
  focus: () => void
}) {
  return (
    <fieldset className={isCurrent ? 'queues-field current' : 'queues-field'} onFocus={focus}>
      <legend>{field.title}</legend>
      {field.about !== '' && <p className="muted">{field.about}</p>}
      {field.kind === 'choice' && (
        <div className="queues-options">
          {field.options.map((option, i) => (
            <Button key={String(option)} aria-pressed={value === option} onClick={() => set(option)}>
              {optionText(option)} {isCurrent && i < 9 && <kbd>{i + 1}</kbd>}
            </Button>
          ))}
        </div>
      )}
      {field.kind === 'number' && (
        <input
          className="input"
          type="number"
          aria-label={field.title}
          step={field.isInteger ? 1 : 'any'}
          {...(field.min !== undefined && { min: field.min })}
          {...(field.max !== undefined && { max: field.max })}
          value={value === undefined || Number.isNaN(value) ? '' : String(value)}
          onChange={(event) => set(event.target.valueAsNumber)}
        />
      )}
      {field.kind === 'text' && (
        <textarea
          className="input"
          rows={3}
          aria-label={field.title}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </fieldset>
  )
}
