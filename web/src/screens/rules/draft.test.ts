import { expect, it } from 'vitest'
import { ACTIONS, actionsFor, EXAMPLES, FIRST_EXAMPLE, NEW, withTrigger } from './draft'
import { savedOf } from './saved'

it('another trigger keeps the actions that go with it', () => {
  const draft = { ...NEW, actions: [ACTIONS.add_to_queue, ACTIONS.notify] }
  expect(withTrigger(draft, 'evaluation').actions).toEqual([ACTIONS.notify])
  expect(withTrigger(NEW, 'training_job').actions.map(({ type }) => type)).toEqual(['evaluate'])
  const own = { ...NEW, ...EXAMPLES['New rows, for training']! }
  expect(withTrigger(own, 'call').actions[0]).toMatchObject({ from: 'dataset' })
  const gated = { ...NEW, ...EXAMPLES['Good scores, for production']! }
  expect(withTrigger(gated, 'alias').actions[0]).toMatchObject({ type: 'set_alias', gate: [] })
})

it('every example goes together', () => {
  for (const { trigger, actions } of Object.values(EXAMPLES))
    for (const { type } of actions) expect(actionsFor(trigger.type)).toContain(type)
  expect(savedOf('acme/shop', FIRST_EXAMPLE)).toBeDefined()
})
