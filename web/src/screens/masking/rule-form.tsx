/** The form of a new rule: what is masked, and what it becomes; tried on calls before it is kept. */
import { useState } from 'react'
import { Button } from '../../ui/button'
import { ChoiceField } from '../../ui/fields'
import { DETECTORS, type Draft, KINDS, MASKS, NEW } from './draft'

const TEXTS = {
  pattern: ['Pattern', 'EMP-[0-9]{6}'],
  names: ['Words, one in each line', 'Ann Lee'],
  path: ['Field', 'inputs.customer.name, or **.ssn'],
} as const

interface Props {
  /** resolves when it is kept */
  keep: (draft: Draft) => void
  /** undefined: there are no calls to try it on */
  attempt: ((draft: Draft) => void) | undefined
  isBusy: boolean
  error: Error | null
}

export function RuleForm({ keep, attempt, isBusy, error }: Props) {
  const [draft, setDraft] = useState(NEW)
  const set = (more: Partial<Draft>) => setDraft({ ...draft, ...more })
  const texts = draft.kind === 'detector' ? undefined : TEXTS[draft.kind]
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        keep(draft)
      }}
    >
      <label>
        Name
        <input
          className="input"
          required
          pattern="[\w.\-]{1,64}"
          title="Letters, digits, _, . and -"
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
        />
      </label>
      <ChoiceField label="What is masked" of={KINDS} value={draft.kind} choose={(kind) => set({ kind })} />
      {texts === undefined ? (
        <ChoiceField
          label="Which"
          of={DETECTORS}
          value={draft.detector}
          choose={(detector) => set({ detector })}
        />
      ) : (
        <label>
          {texts[0]}
          <textarea
            className="input"
            required
            rows={draft.kind === 'names' ? 6 : 1}
            placeholder={texts[1]}
            value={draft.text}
            onChange={({ target }) => set({ text: target.value })}
          />
        </label>
      )}
      {(draft.kind === 'pattern' || draft.kind === 'names') && (
        <label className="row">
          <input
            type="checkbox"
            checked={draft.ignoreCase}
            onChange={({ target }) => set({ ignoreCase: target.checked })}
          />
          Capital and small letters are alike
        </label>
      )}
      <ChoiceField label="It becomes" of={MASKS} value={draft.how} choose={(how) => set({ how })} />
      {(draft.how === 'label' || draft.how === 'hash') && (
        <label>
          Label
          <input
            className="input"
            placeholder="by what is masked"
            pattern="[A-Z][A-Z0-9_]{0,31}"
            title="Capital letters, digits and _"
            value={draft.label}
            onChange={({ target }) => set({ label: target.value })}
          />
        </label>
      )}
      {error && (
        <p className="bad" role="alert">
          {error.message}
        </p>
      )}
      <div className="row">
        <Button tone="primary" type="submit" disabled={isBusy}>
          Keep it
        </Button>
        {attempt && (
          <Button disabled={isBusy} onClick={() => attempt(draft)}>
            Try it on the newest calls
          </Button>
        )}
      </div>
    </form>
  )
}
