/** Makes an alert or changes one: what is watched, when it fires, who is notified; shows what it would have judged. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { saveAlert } from '../../api/alerts'
import { Button } from '../../ui/button'
import { ObjectNameField } from '../../ui/fields'
import { type Draft, NEW, PRESETS, savedOf } from './draft'
import { JudgingFields } from './judging-fields'
import { NotificationFields } from './notification-fields'
import { Preview } from './preview'
import { SourceFields } from './source-fields'

interface Props {
  project: string
  /** as it is; undefined: a new one is made */
  of: Draft | undefined
  done: () => void
}

export function Editor({ project, of, done }: Props) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(of ?? NEW)
  const change = (more: Partial<Draft>) => setDraft((old) => ({ ...old, ...more }))
  const saved = savedOf(project, draft)
  const save = useMutation({
    mutationFn: () => saveAlert(saved!),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['alerts', project] })
      done()
    },
  })
  return (
    <form
      className="alerts-form"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {of === undefined && (
        <div className="alerts-presets" role="group" aria-label="Begin with">
          <span className="muted">Begin with</span>
          {Object.entries(PRESETS).map(([title, preset]) => (
            <Button key={title} onClick={() => change({ ...preset, warn_at: null, no_data: 'ok', ops: '' })}>
              {title}
            </Button>
          ))}
        </div>
      )}
      <ObjectNameField isNew={of === undefined} value={draft.name} set={(name) => change({ name })} />
      <label>
        What it is about
        <textarea
          className="input"
          rows={1}
          value={draft.description ?? ''}
          onChange={({ target }) => change({ description: target.value || null })}
        />
      </label>
      <fieldset>
        <legend>What is watched</legend>
        <SourceFields {...{ project, draft, change }} />
      </fieldset>
      <fieldset>
        <legend>When it fires</legend>
        <JudgingFields {...{ draft, change }} />
        <Preview {...{ project, draft }} />
      </fieldset>
      <NotificationFields {...{ project, draft, change }} />
      {save.error && (
        <p className="bad" role="alert">
          {save.error.message}
        </p>
      )}
      <Button type="submit" tone="primary" disabled={save.isPending || saved === undefined}>
        {of === undefined ? 'Make the alert' : 'Save the alert'}
      </Button>
    </form>
  )
}
