/** Which calls or turns set off a rule: of which ops, by a condition, and how many of them. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { newestCallsQuery } from '../../api/rules'
import { FilterBuilder } from '../traces/filter-builder'
import '../traces/traces.css'
import { NameField, NumberField } from '../../ui/fields'
import { whereProblem } from './condition'
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
            label="Only of ops, by commas"
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
      <Condition {...{ project, trigger, change }} />
    </>
  )
}

/** Whole texts, each with one more name. */
function goneOn(text: string, names: readonly string[]): string[] {
  const [before = ''] = /^.*,\s*/s.exec(text) ?? []
  const chosen = before.split(/,\s*/)
  return names.filter((name) => !chosen.includes(name)).map((name) => before + name)
}

function Condition({ project, trigger, change }: Props) {
  const id = useId()
  const { data: calls = [] } = useQuery(newestCallsQuery(project))
  const { where } = trigger
  const problem = whereProblem(where)
  return (
    <div className="rules-condition">
      <label htmlFor={id}>Only those that match, as in the traces table</label>
      <div className="row">
        <input
          id={id}
          className="input mono grow"
          spellCheck={false}
          autoComplete="off"
          placeholder={'all; such as status:error latency>2s "any text"'}
          value={where}
          aria-invalid={problem !== undefined}
          {...(problem !== undefined && { 'aria-describedby': `${id}-problem` })}
          onChange={({ target }) => change({ ...trigger, where: target.value })}
        />
        <FilterBuilder
          project={project}
          calls={calls}
          add={(one) => change({ ...trigger, where: [where.trim(), one].filter(Boolean).join(' ') })}
          apply={({ filter }) => change({ ...trigger, where: filter })}
        />
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} className="bad" role="status">
          {problem}
        </p>
      )}
    </div>
  )
}
