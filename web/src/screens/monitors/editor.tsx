/** Makes a monitor or changes one: which calls, how many of them, and what is noticed; shows what it would have said. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { post } from '../../api/client'
import { previewQuery, type Signal } from '../../api/monitors'
import { objectRef } from '../../api/object-ref'
import { objectQuery, scorerNamesQuery } from '../../api/objects'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { NumberField, ObjectNameField } from '../../ui/fields'
import { useSettled } from '../../ui/settled'
import { Failed, Loading } from '../../ui/states'
import { ConditionField } from '../traces/condition-field'
import { type Draft, draftOf, matchingOf, NEW } from './draft'
import { Preview } from './preview'
import { nameIn } from './shown'
import { SIGNALS } from './signals'
import '../queues/queues.css'

/** How long a conversation is quiet before it is scored. */
const QUIET_SECONDS = 60

interface Props {
  project: string
  /** name of the monitor; empty: a new one; undefined: closed */
  monitor: string | undefined
  close: () => void
}

export function Editor({ project, monitor, close }: Props) {
  return (
    <Dialog title={monitor ? `Change ${monitor}` : 'New monitor'} open={monitor !== undefined} close={close}>
      {monitor === '' && <Form project={project} begin={NEW} done={close} />}
      {monitor && <Stored {...{ project, monitor, close }} />}
    </Dialog>
  )
}

function Stored({ project, monitor, close }: Props & { monitor: string }) {
  const { data, error, refetch } = useQuery(objectQuery(project, monitor, 'latest'))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const begin = draftOf(monitor, (data.val ?? {}) as Record<string, unknown>)
  if (begin === undefined)
    return <p>It has settings that this form does not have. Publish a new version by the SDK that made it.</p>
  return <Form project={project} begin={begin} done={close} />
}

function Form({ project, begin, done }: { project: string; begin: Draft; done: () => void }) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(begin)
  const change = (more: Partial<Draft>) => setDraft((old) => ({ ...old, ...more }))
  const { data: known = [] } = useQuery(scorerNamesQuery(project))
  const asked = useMemo(() => matchingOf(draft), [draft])
  const settled = useSettled(asked)
  const preview = useQuery({ ...previewQuery(project, settled!), enabled: settled !== undefined })
  const make = useMutation({
    mutationFn: () => {
      const { name, description, quietSeconds: quiet_seconds, active } = draft
      return post('/monitors/create', {
        ...{ project_id: project, name, description, quiet_seconds, active },
        ...asked!,
      })
    },
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['monitors', project] }),
        client.invalidateQueries({ queryKey: ['objects', project, 'version', draft.name] }),
      ])
      done()
    },
  })
  const isNew = begin.name === ''
  // Those of the signals are objects, too. What the monitor has stays at its version.
  const others = [
    ...begin.scorers,
    ...known
      .filter((name) => !Object.hasOwn(SIGNALS, name) && !begin.scorers.some((ref) => nameIn(ref) === name))
      .map((name) => objectRef(project, name)),
  ]
  return (
    <form
      className="queues-form"
      aria-label="Monitor"
      onSubmit={(event) => {
        // The builder of a condition is a form of its own, whose events come here, too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        make.mutate()
      }}
    >
      <ObjectNameField isNew={isNew} value={draft.name} set={(name) => change({ name })} />
      <fieldset>
        <legend>Notice</legend>
        {(Object.keys(SIGNALS) as Signal[]).map((name) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={draft.signals.includes(name)}
              onChange={() => change({ signals: toggled(draft.signals, name) })}
            />
            {SIGNALS[name]}
          </label>
        ))}
      </fieldset>
      {others.length > 0 && (
        <fieldset>
          <legend>Scorers of this project</legend>
          {others.map((ref) => (
            <label key={ref} className="check">
              <input
                type="checkbox"
                checked={draft.scorers.includes(ref)}
                onChange={() => change({ scorers: toggled(draft.scorers, ref) })}
              />
              {nameIn(ref)}
            </label>
          ))}
        </fieldset>
      )}
      <label>
        Ops, separated by commas; empty: all
        <input
          className="input"
          value={draft.ops}
          onChange={({ target }) => change({ ops: target.value })}
          placeholder="answer, chat"
        />
      </label>
      <ConditionField project={project} where={draft.where} set={(where) => change({ where })} />
      <NumberField
        label="Percent of the calls"
        {...{ min: 0, max: 100, required: true }}
        value={draft.percent}
        set={(percent) => change({ percent })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={draft.quietSeconds !== null}
          onChange={({ target }) =>
            change({ quietSeconds: target.checked ? (begin.quietSeconds ?? QUIET_SECONDS) : null })
          }
        />
        Score a conversation as a whole, once it was quiet for {draft.quietSeconds ?? QUIET_SECONDS} seconds
      </label>
      {preview.error ? (
        <p className="bad" role="alert">
          {preview.error.message}
        </p>
      ) : (
        preview.data && <Preview project={project} of={preview.data} />
      )}
      {make.error && (
        <p className="bad" role="alert">
          {make.error.message}
        </p>
      )}
      <Button
        type="submit"
        tone="primary"
        disabled={make.isPending || asked === undefined || draft.signals.length + draft.scorers.length === 0}
      >
        {isNew ? 'Make the monitor' : 'Save the monitor'}
      </Button>
    </form>
  )
}

/** With one more, or without it. */
const toggled = <T,>(all: readonly T[], one: T): readonly T[] =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one]
