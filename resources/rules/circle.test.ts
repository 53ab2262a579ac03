/** Rules that would set each other off, held to a search that tries every path. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RuleAction, RuleTrigger } from '../../contract/rules.js'
import { circleThrough, type NamedRule } from './circle.js'

const names = fc.constantFrom('a', 'b', 'c')
const anyName = fc.option(names, { nil: null })
const triggers = fc.oneof(
  fc.record({ type: fc.constant('alias'), object: anyName, alias: anyName }),
  fc.record({ type: fc.constant('dataset_version'), dataset: anyName }),
  fc.record({ type: fc.constant('evaluation'), evaluation: anyName }),
  fc.record({ type: fc.constant('call') }),
) as fc.Arbitrary<RuleTrigger>
const actions = fc.oneof(
  fc.record({ type: fc.constant('set_alias'), alias: names }),
  fc.record({ type: fc.constant('add_to_dataset'), dataset: names }),
  fc.record({ type: fc.constant('evaluate'), evaluation: names }),
  fc.record({ type: fc.constant('add_to_queue'), queue: names }),
) as fc.Arbitrary<RuleAction>
const rules = fc
  .array(fc.record({ trigger: triggers, actions: fc.array(actions, { minLength: 1, maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.map((rule, i): NamedRule => ({ ...rule, name: `rule${i}` })))

describe('a circle', () => {
  it('is found if and only if there is one, and each of its steps is real', () => {
    fc.assert(
      fc.property(rules, ([first, ...others]) => {
        const found = circleThrough(first!, others)
        expect(found !== undefined).toBe(returns(first!, [first!, ...others]))
        if (found === undefined) return
        expect([found[0], found.at(-1)]).toEqual([first!.name, first!.name])
        const named = new Map([first!, ...others].map((rule) => [rule.name, rule]))
        for (const [i, name] of found.slice(1).entries())
          expect(leads(named.get(found[i]!)!, named.get(name)!)).toBe(true)
      }),
    )
  })

  it('needs a trigger that hears of the action', () => {
    const rule = (trigger: object, action: object) =>
      ({ name: 'one', trigger, actions: [action] }) as unknown as NamedRule
    const alias = { type: 'set_alias', alias: 'production' }
    expect(circleThrough(rule({ type: 'call' }, { type: 'add_to_queue', queue: 'a' }), [])).toBeUndefined()
    expect(circleThrough(rule({ type: 'alias', object: 'm', alias: 'staging' }, alias), [])).toBeUndefined()
    expect(circleThrough(rule({ type: 'alias', object: 'm', alias: null }, alias), [])).toEqual([
      'one',
      'one',
    ])
  })
})

/** Whether a walk from a rule comes back to it, by closing the set of what it reaches. */
function returns(first: NamedRule, all: readonly NamedRule[]): boolean {
  const reached = new Set<NamedRule>()
  let edge = [first]
  while (edge.length > 0) {
    edge = all.filter((next) => !reached.has(next) && edge.some((rule) => leads(rule, next)))
    for (const rule of edge) reached.add(rule)
  }
  return reached.has(first)
}

/** Whether one rule alone sets off another: as two rules, of which the second would go back to the first. */
function leads(from: NamedRule, to: NamedRule): boolean {
  const heard = (wanted: string | null, name: string | null) =>
    wanted === null || name === null || wanted === name
  const { trigger } = to
  return from.actions.some((action) => {
    if (action.type === 'add_to_dataset' && trigger.type === 'dataset_version')
      return heard(trigger.dataset, action.dataset)
    if (action.type === 'evaluate' && trigger.type === 'evaluation')
      return heard(trigger.evaluation, action.evaluation)
    if (action.type !== 'set_alias' || trigger.type !== 'alias') return false
    const object =
      'dataset' in from.trigger ? from.trigger.dataset : 'object' in from.trigger ? from.trigger.object : null
    return heard(trigger.alias, action.alias) && heard(trigger.object, object)
  })
}
