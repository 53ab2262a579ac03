import { expect, it } from 'vitest'
import { draftOf, matchingOf, NEW } from './draft'

const failed = { $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: 'error' }] } }
const ref = (name: string) => `weave:///acme/shop/object/${name}:abc`
const stored = {
  ...{ _class_name: 'Monitor', name: 'm', description: 'why', active: false, is_traced: true },
  ...{ op_names: ['answer', 'chat'], query: failed, sampling_rate: 0.07 },
  scorers: [ref('pii'), ref('polite')],
  scorer_debounce_config: {
    ...{ aggregation_field: 'thread_id', aggregation_method: 'all_messages', timeout_seconds: 60 },
  },
}

it('a monitor that is changed is saved with what it had', () => {
  const draft = draftOf('m', stored)!
  expect(draft).toMatchObject({ where: 'status:error', quietSeconds: 60, active: false, description: 'why' })
  expect(matchingOf(draft)).toEqual({
    ...{ op_names: ['answer', 'chat'], query: failed, sampling_rate: 0.07 },
    ...{ signals: ['pii'], scorer_refs: [ref('polite')] },
  })
})

it.each([
  ['of a class of its own', { _class_name: 'ClassifierMonitor' }],
  ['by another field', { scorer_debounce_config: { aggregation_field: 'trace_id', timeout_seconds: 5 } }],
])('one %s is not for the form', (_, more) => {
  expect(draftOf('m', { ...stored, ...more })).toBeUndefined()
})

it('a text that is no condition matches nothing', () => {
  expect(matchingOf({ ...NEW, where: 'latency>' })).toBeUndefined()
  expect(matchingOf(NEW)).toMatchObject({ op_names: null, query: null, sampling_rate: 1 })
})
