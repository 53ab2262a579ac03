/** Makes a rule or changes one: what sets it off, and what it does; shows what would have set it off. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { saveRule } from '../../api/rules'
import { Button } from '../../ui/button'
import { NumberField, ObjectNameField } from '../../ui/fields'
import { ActionFields } from './action-fields'
import { type Draft, EXAMPLES, withTrigger } from './draft'
import { Preview } from './preview'
import { savedOf } from './saved'
import { type Said, sentenceOf } from './shown'
import { TriggerFields } from './trigger-fields'

interface Props {
  project: string
  begin: Draft
  /** it is not there yet */
  isNew: boolean
  done: () => void
}

export function Editor({ project, begin, isNew, done }: Props) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(begin)
  const change = (more: Partial<Draft>) => setDraft((old) => ({ ...old, ...more }))
  const saved = savedOf(project, draft)
  const save = useMutation({
    mutationFn: () => saveRule(saved!),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['rules', project] })
      done()
    },
  })
  return (
    <div className="rules-editor">
      <form
        className="alerts-form"
        aria-label="Rule"
        onSubmit={(event) => {
          // The builder of a condition is a form of its own, whose events come here, too.
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          save.mutate()
        }}
      >
        {isNew && (
          <div className="alerts-presets" role="group" aria-label="Begin with">
            <span className="muted">Begin with</span>
            {Object.entries(EXAMPLES).map(([title, example]) => (
              <Button key={title} onClick={() => change(example)}>
                {title}
              </Button>
            ))}
          </div>
        )}
        <ObjectNameField isNew={isNew} maxLength={120} value={draft.name} set={(name) => change({ name })} />
        <label>
          What it is for
          <textarea
            className="input"
            rows={1}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        </label>
        <fieldset>
          <legend>What sets it off</legend>
          <TriggerFields
            project={project}
            trigger={draft.trigger}
            change={(trigger) => change({ trigger })}
            choose={(type) => setDraft((old) => withTrigger(old, type))}
          />
        </fieldset>
        <ActionFields project={project} draft={draft} set={(actions) => change({ actions })} />
        <div className="alerts-fields">
          <NumberField
            label="At most so often a day"
            {...{ min: 1, max: 100_000, step: 1, required: true }}
            value={draft.max_per_day}
            set={(max_per_day) => change({ max_per_day })}
          />
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={draft.active}
            onChange={({ target }) => change({ active: target.checked })}
          />
          It acts from now on
        </label>
        {save.error && (
          <p className="bad" role="alert">
            {save.error.message}
          </p>
        )}
        <div className="row">
          <Button type="submit" tone="primary" disabled={save.isPending || saved === undefined}>
            {isNew ? 'Make the rule' : 'Save the rule'}
          </Button>
          <Button onClick={done}>Cancel</Button>
        </div>
      </form>
      <div className="rules-beside">
        {saved && <p className="rules-sentence">{sentenceOf(saved as Said)}</p>}
        <Preview project={project} draft={draft} />
      </div>
    </div>
  )
}
