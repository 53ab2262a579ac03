/** A condition on calls: a text in the language of the traces, or what the builder of filters makes of choices. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { newestCallsQuery } from '../../api/rules'
import { whereProblem } from './condition'
import { FilterBuilder } from './filter-builder'
import './traces.css'

interface Props {
  project: string
  where: string
  set: (where: string) => void
}

export function ConditionField({ project, where, set }: Props) {
  const id = useId()
  const { data: calls = [] } = useQuery(newestCallsQuery(project))
  const problem = whereProblem(where)
  return (
    <div className="traces-condition">
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
          onChange={({ target }) => set(target.value)}
        />
        <FilterBuilder
          project={project}
          calls={calls}
          add={(one) => set([where.trim(), one].filter(Boolean).join(' '))}
          apply={({ filter }) => set(filter)}
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
