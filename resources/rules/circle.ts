/**
 * Finds rules that would set each other off for ever. Pure.
 *
 * Calls and scores are never what a rule made: those of evaluations that the server runs set off no rule. So only versions,
 * aliases, evaluations and training lead from one rule to another.
 */
import type { RuleAction, RuleDefinition, RuleTrigger } from '../../contract/rules.js'

export interface NamedRule extends Pick<RuleDefinition, 'trigger' | 'actions'> {
  name: string
}

/** @returns the names along a circle through the rule, which is first and last; undefined: there is none */
export function circleThrough(first: NamedRule, others: readonly NamedRule[]): string[] | undefined {
  const rules = [first, ...others]
  const seen = new Set<string>()
  const walk = (rule: NamedRule, path: readonly string[]): string[] | undefined => {
    for (const next of rules) {
      if (!rule.actions.some((action) => mayCause(action, rule.trigger, next.trigger))) continue
      if (next === first) return [...path, next.name]
      if (seen.has(next.name)) continue
      seen.add(next.name)
      const found = walk(next, [...path, next.name])
      if (found) return found
    }
    return undefined
  }
  return walk(first, [first.name])
}

/** Whether what an action makes may be what a trigger waits for. @param own the trigger of the action's rule */
function mayCause(action: RuleAction, own: RuleTrigger, trigger: RuleTrigger): boolean {
  switch (action.type) {
    case 'add_to_dataset':
      return trigger.type === 'dataset_version' && meets(trigger.dataset, action.dataset)
    case 'evaluate':
      return trigger.type === 'evaluation' && meets(trigger.evaluation, action.evaluation)
    case 'train':
      return trigger.type === 'training_job' && meets(trigger.model, action.model)
    case 'set_alias':
      return (
        trigger.type === 'alias' && meets(trigger.alias, action.alias) && meets(trigger.object, aliased(own))
      )
    // Items of a queue and messages set off nothing. No default, so that the compiler asks about a new action.
    case 'add_to_queue':
    case 'notify':
      return false
  }
}

/** The object whose version gets an alias; null: it may be any. */
function aliased(trigger: RuleTrigger): string | null {
  if (trigger.type === 'dataset_version') return trigger.dataset
  return trigger.type === 'alias' ? trigger.object : null
}

/** Names of the same; null is any. */
const meets = (one: string | null, other: string | null) => one === null || other === null || one === other
