/** Which calls or turns set off a rule: of which ops, by a condition, and how many of them. */
import { NameField, NumberField } from '../../ui/fields'
import { ConditionField } from '../traces/condition-field'
import type { TriggerDraft } from './draft'
import { useOpNames } from './names'

type OnCalls = Extract<TriggerDraft, { type: 'call' | 'turn' }>

interface Props {
  project: string
  trigger: OnCalls
  change: (trigger: OnCalls) => void
}

export function CallFields({ project, trigger, change }: Props) {
  const ops = useOpNames(project)
  return (
    <>
      <div className="alerts-fields">
        {trigger.type === 'call' && (
          <NameField
            label="Only these ops (comma-separated)"
            none="all ops"
            names={goneOn(trigger.ops, ops)}
            value={trigger.ops}
            set={(names) => change({ ...trigger, ops: names })}
          />
        )}
        <NumberField
          label="Percent of them"
          {...{ min: 0, max: 100, required: true }}
          value={trigger.percent}
          set={(percent) => change({ ...trigger, percent })}
        />
      </div>
      <ConditionField
        project={project}
        where={trigger.where}
        set={(where) => change({ ...trigger, where })}
      />
    </>
  )
}

/** Whole texts, each with one more name. */
function goneOn(text: string, names: readonly string[]): string[] {
  const [before = ''] = /^.*,\s*/s.exec(text) ?? []
  const chosen = before.split(/,\s*/)
  return names.filter((name) => !chosen.includes(name)).map((name) => before + name)
}
