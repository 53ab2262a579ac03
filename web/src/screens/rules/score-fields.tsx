/** Which scores set off a rule: of which type, by which monitor, and with which value. */
import { useQuery } from '@tanstack/react-query'
import { feedbackPathsQuery, feedbackTypesQuery } from '../../api/dashboards'
import { monitorsQuery } from '../../api/monitors'
import { ChoiceField, NameField, NumberField } from '../../ui/fields'
import { RANGES } from '../../ui/ranges'
import type { Comparison, Kind, TriggerDraft } from './draft'

type OnScore = Extract<TriggerDraft, { type: 'score' }>

const KINDS: Readonly<Record<Kind, string>> = {
  ...{ any: 'anything', number: 'a number', boolean: 'true or false', text: 'a text' },
}
const EQUAL: Partial<Record<Comparison, string>> = { '=': 'equal to', '!=': 'not equal to' }
const COMPARISONS: Readonly<Record<string, string>> = {
  ...{ '>': 'more than', '>=': 'at least', '<': 'less than', '<=': 'at most' },
  ...EQUAL,
}
const BEGUN: Readonly<Record<Kind, Partial<OnScore>>> = {
  any: { value: '' },
  number: { value: '' },
  boolean: { value: 'true', comparison: '=' },
  text: { value: '', comparison: '=' },
}
const KIND_OF = { numeric: 'number', boolean: 'boolean', categorical: 'text' } as const
/** What comes often, also before the first has come. */
const USUAL = ['wandb.reaction.1', 'wandb.runnable.refusal']

interface Props {
  project: string
  trigger: OnScore
  change: (trigger: OnScore) => void
}

export function ScoreFields({ project, trigger, change }: Props) {
  const { feedback_type: type, kind } = trigger
  const { data: types = [] } = useQuery(feedbackTypesQuery(project))
  const known = types.includes(type) ? type : ''
  const { data: paths = [] } = useQuery(feedbackPathsQuery(project, known, RANGES['30d']!))
  const { data: monitors = [] } = useQuery(monitorsQuery(project))
  const set = (more: Partial<OnScore>) => change({ ...trigger, ...more })
  const choosePath = (json_path: string) => {
    const found = paths.find((one) => one.json_path === json_path)
    const next = found && KIND_OF[found.value_type]
    // Whoever takes any value means it.
    set({ json_path, ...(next && kind !== 'any' && next !== kind && { kind: next, ...BEGUN[next] }) })
  }
  // Texts and truths have no order. One that a rule was made with stays.
  const comparisons = kind === 'number' || EQUAL[trigger.comparison] === undefined ? COMPARISONS : EQUAL
  return (
    <div className="alerts-fields">
      <NameField
        label="Type of score or feedback"
        names={[...new Set([...types, ...USUAL])]}
        value={type}
        set={(feedback_type) => set({ feedback_type })}
      />
      <NameField
        label="Only of the monitor"
        none="of anybody"
        names={monitors.map(({ name }) => name)}
        value={trigger.monitor}
        set={(monitor) => set({ monitor })}
      />
      <NameField
        label="Path of its value"
        names={paths.map(({ json_path: path }) => path)}
        value={trigger.json_path}
        set={choosePath}
      />
      <ChoiceField
        label="Its value is"
        of={KINDS}
        value={kind}
        choose={(next) => set({ kind: next, ...BEGUN[next] })}
      />
      {kind !== 'any' && (
        <ChoiceField
          label="It is"
          of={comparisons}
          value={trigger.comparison}
          choose={(comparison) => set({ comparison })}
        />
      )}
      {kind === 'number' && (
        <NumberField
          label="Value"
          required
          value={trigger.value === '' ? null : Number(trigger.value)}
          set={(value) => set({ value: value === null ? '' : String(value) })}
        />
      )}
      {kind === 'boolean' && (
        <ChoiceField
          label="Value"
          of={{ true: 'true', false: 'false' }}
          value={trigger.value}
          choose={(value) => set({ value })}
        />
      )}
      {kind === 'text' && (
        <label>
          Value
          <input
            className="input"
            required
            maxLength={1000}
            value={trigger.value}
            onChange={({ target }) => set({ value: target.value })}
          />
        </label>
      )}
    </div>
  )
}
