/** A rule as its object says it, and what goes together in one. Pure; knows no progress. */
import type { RuleAction, RuleTrigger } from '../../contract/rules.js'
import { RuleDefinition } from '../../contract/rules.js'
import { ACTIONS_OF } from '../../domain/rules/fits.js'
import { errors } from '../../platform/errors/catalog.js'

export const RULE_CLASS = 'Rule'

type TriggerType = RuleTrigger['type']

/** @param value in wire form @throws `INVALID_RULE` (400) with what is wrong */
export function ruleOf(value: unknown): RuleDefinition {
  const read = RuleDefinition.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    throw errors.invalidRule(`its ${issue!.path.join('.')} is not what it should be (${issue!.message})`)
  }
  checkRule(read.data)
  return read.data
}

/** @throws `INVALID_RULE` (400) for an action that does not go with the trigger */
export function checkRule({ trigger, actions }: RuleDefinition): void {
  for (const action of actions) {
    const why = misfit(action, trigger.type)
    if (why !== undefined) throw errors.invalidRule(why)
  }
}

/** Why an action does not go with a trigger; undefined: it does. */
function misfit(action: RuleAction, type: TriggerType): string | undefined {
  if (!goWith(type).includes(action.type)) {
    const others = TRIGGERS.filter((one) => goWith(one).includes(action.type))
    return `${action.type} does not go with the trigger ${type}, but with ${others.join(', ')}`
  }
  switch (action.type) {
    case 'set_alias':
      return action.gate.length > 0 && type !== 'evaluation'
        ? 'a gate judges a run of an evaluation, so its trigger is evaluation'
        : gateProblem(action)
    case 'evaluate':
      return action.model !== null || type === 'alias'
        ? undefined
        : 'evaluate needs the name of a model, unless its trigger is alias'
    case 'train':
      if (action.training_data === null && type !== 'dataset_version')
        return 'train needs training_data, unless its trigger is dataset_version'
      return action.method === 'rl' && (action.training_data?.reward ?? null) === null
        ? 'rl needs training_data with a reward'
        : undefined
    default:
      return undefined
  }
}

const TRIGGERS = Object.keys(ACTIONS_OF) as TriggerType[]
const goWith = (type: TriggerType): readonly RuleAction['type'][] => ACTIONS_OF[type]

function gateProblem({ gate }: Extract<RuleAction, { type: 'set_alias' }>): string | undefined {
  for (const { score, min, max, max_regression } of gate) {
    if (min !== null && max !== null)
      return `the gate has a minimum and a maximum of ${score}; give one of them`
    if (min === null && max === null && max_regression === null)
      return `the gate says nothing of ${score}; give min, max or max_regression`
  }
  return undefined
}
