/** Judges of a ClassifierMonitor: each says what it looks for, and one request asks about all of them. Pure. */
import type { ScorerPlan } from '../../domain/evaluation/plan.js'
import { errors } from '../../platform/errors/catalog.js'

/** @throws `INVALID_MONITOR` (400) unless all are judges that ask the same model */
export function askedTogether(plans: readonly ScorerPlan[]): ScorerPlan[] {
  const judges = plans.map(({ name, rule }) => {
    if (rule.kind !== 'judge')
      throw errors.invalidMonitor(`its scorer ${name} is no judge, and it has judges only`)
    return { name, rule }
  })
  const [first] = judges
  if (first === undefined) return []
  const { model } = first.rule
  const other = judges.find(({ rule }) => rule.model.name !== model.name || rule.model.at !== model.at)
  if (other)
    throw errors.invalidMonitor(`${other.name} asks another model than ${first.name}; name one model in all`)
  const classifiers = judges.map(({ name, rule }) => ({ name, prompt: rule.messages.map(textOf).join('\n') }))
  // Its own prompt and schema would be of one judge.
  const shared = { ...model, messages: [], format: 'json' as const, schema: null }
  return plans.map((plan) => ({ ...plan, rule: { kind: 'classifier', model: shared, classifiers } }))
}

const textOf = ({ content }: Record<string, unknown>): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '')
