/** Makes a queue: its name, and what annotators are asked, of questions that are there or new. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../../api/client'
import { objectIdOf } from '../../api/object-id'
import { objectRef } from '../../api/object-ref'
import { createQueue, specsQuery } from '../../api/queues'
import { Button } from '../../ui/button'
import { commaList } from '../../ui/comma-list'
import { Dialog } from '../../ui/dialog'
import { QUESTIONS, type Question } from './fields'

export function NewQueue({ project, open, close }: { project: string; open: boolean; close: () => void }) {
  const client = useQueryClient()
  const { data: specs = [] } = useQuery({ ...specsQuery(project), enabled: open })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const refs = specs.flatMap((one) =>
        chosen.includes(one.object_id) ? objectRef(project, one.object_id, one.digest) : [],
      )
      return createQueue(project, String(form.get('name')), String(form.get('description') ?? ''), refs)
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['queues', project] })
      setChosen([])
      close()
    },
  })
  const toggle = (id: string) =>
    setChosen((old) => (old.includes(id) ? old.filter((one) => one !== id) : [...old, id]))
  return (
    <Dialog title="New queue" open={open} close={close}>
      <form
        className="queues-form"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate(new FormData(event.currentTarget))
        }}
      >
        <label>
          Name
          <input className="input" name="name" required maxLength={256} />
        </label>
        <label>
          What annotators should know
          <textarea className="input" name="description" rows={2} />
        </label>
        <fieldset>
          <legend>Questions</legend>
          {specs.map(({ object_id: id, val }) => (
            <label key={id} className="check">
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
              {(val as { name?: string | null } | null)?.name || id}
            </label>
          ))}
          {specs.length === 0 && <p className="muted">There is none yet: add one below.</p>}
        </fieldset>
        <NewQuestion project={project} made={(id) => setChosen((old) => [...old, id])} />
        {make.error && (
          <p className="bad" role="alert">
            {make.error.message}
          </p>
        )}
        <Button type="submit" tone="primary" disabled={make.isPending || chosen.length === 0}>
          Make the queue
        </Button>
      </form>
    </Dialog>
  )
}

function NewQuestion({ project, made }: { project: string; made: (id: string) => void }) {
  const client = useQueryClient()
  const [title, setTitle] = useState('')
  const [kind, setKind] = useState<Question>('yes or no')
  const [options, setOptions] = useState('')
  const id = objectIdOf(title.toLowerCase())
  const list = commaList(options)
  const make = useMutation({
    mutationFn: async () => {
      const val = { name: title, field_schema: QUESTIONS[kind](list) }
      const obj = { project_id: project, object_id: id, builtin_object_class: 'AnnotationSpec', val }
      await post('/obj/create', { obj })
      await client.invalidateQueries({ queryKey: ['objects', project] })
      return id
    },
    onSuccess: (one) => {
      made(one)
      setTitle('')
      setOptions('')
    },
  })
  return (
    <div className="queues-question">
      <input
        className="input grow"
        aria-label="New question"
        placeholder="A question, such as: Is the answer right?"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <select
        className="select"
        aria-label="Kind of answer"
        value={kind}
        onChange={(event) => setKind(event.target.value as Question)}
      >
        {Object.keys(QUESTIONS).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {kind === 'one of' && (
        <input
          className="input grow"
          aria-label="Answers"
          placeholder="good, fair, bad"
          value={options}
          onChange={(event) => setOptions(event.target.value)}
        />
      )}
      <Button
        icon="plus"
        disabled={id === '' || make.isPending || (kind === 'one of' && list.length < 2)}
        onClick={() => make.mutate()}
      >
        Add
      </Button>
      {make.error && <p className="bad">{make.error.message}</p>}
    </div>
  )
}
