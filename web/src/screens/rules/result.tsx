/** How an action of a rule went, and what it made. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isRef } from '../../../../domain/refs/in-values'
import type { RuleActionRun } from '../../api/rules'
import { weavePath } from '../../app/address'
import { RefChip } from '../../ui/ref-chip'
import { Time } from '../../ui/time'
import { ACTION_TITLES, STATES, triedText } from './shown'
import { jobAddress, runAddress } from './subject'

const TONES: Readonly<Record<RuleActionRun['state'], string>> = {
  ...{ done: 'good', failed: 'bad', waiting: 'muted', cut: 'muted' },
}

export function Result({ project, of }: { project: string; of: RuleActionRun }) {
  const { type, state, next_at: next, problem } = of
  const tried = state === 'waiting' ? triedText(of) : ''
  return (
    <div className="rules-result">
      {ACTION_TITLES[type]}: <span className={TONES[state]}>{STATES[state]}</span>
      {state === 'cut' && problem === null && <span className="muted">, the rule set itself off</span>}
      {tried !== '' && <span className="muted">, {tried}</span>}
      {state === 'waiting' && next !== null && (
        <span className="muted">
          , next <Time at={next} />
        </span>
      )}
      {problem !== null && <span className="bad">: {problem}</span>} <Made project={project} of={of} />
    </div>
  )
}

/** A ref or an id is a link to what it names. */
function Made({ project, of: { type, result } }: { project: string; of: RuleActionRun }): ReactNode {
  if (result === null || result === '') return null
  if (isRef(result)) return <RefChip to={result} />
  if (/\s/.test(result)) return result
  if (type === 'evaluate') return <Link {...runAddress(project, result)}>results</Link>
  if (type === 'train') return <Link {...jobAddress(project, result)}>training job</Link>
  if (type === 'add_to_queue') return <Link to={weavePath(project, 'queues', result)}>queue</Link>
  return result
}
