import { describe, expect, it } from 'vitest'
import type { RuleDefinition } from '../../api/rules'
import { whereProblem } from '../traces/condition'
import { ACTIONS, NEW, TRIGGERS, type TriggerDraft } from './draft'
import { draftOf, previewOf, savedOf } from './saved'

const project = 'acme/shop'
const failed = { $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: 'error' }] } }

const rule = (trigger: object, ...actions: object[]) =>
  ({ description: null, trigger, actions, max_per_day: 50, active: false }) as unknown as RuleDefinition

const call = { type: 'call', op_names: null, query: null, sampling_rate: 1 }
const score = {
  ...{ type: 'score', feedback_type: 'mood', monitor: null, json_path: 'output.value', comparison: '=' },
}
const queue = { type: 'add_to_queue', queue: 'review' }
const notify = { type: 'notify', channel: 'ops', message: null }
const data = { calls: null, template: null, reward: null, min_reward: null }
const train = {
  ...{ type: 'train', model: 'm', method: 'sft', config: null, experimental_config: null },
  training_data: null,
}

describe('a rule that is edited is saved as it was', () => {
  it.each<[string, object, object]>([
    ['of all calls', call, queue],
    ['of some calls', { ...call, op_names: ['answer', 'chat'], query: failed, sampling_rate: 0.07 }, queue],
    [
      'of a condition without words',
      { ...call, query: { $expr: { $in: [{ $getField: 'id' }, []] } } },
      queue,
    ],
    ['of turns', { ...call, type: 'turn', op_names: undefined }, notify],
    ['of any score', { ...score, value: null }, notify],
    ['of a number', { ...score, comparison: '<', value: 0.5 }, notify],
    ['of true', { ...score, monitor: 'moods', value: true }, { ...notify, message: '{{what}}' }],
    ['of a text', { ...score, value: '5' }, { type: 'add_to_dataset', dataset: 'd', columns: null }],
    ['of columns', call, { type: 'add_to_dataset', dataset: 'd', columns: { question: 'inputs.question' } }],
    [
      'of an alias',
      { type: 'alias', object: null, alias: 'production' },
      { type: 'evaluate', evaluation: 'e', model: null },
    ],
    [
      'of an evaluation',
      { type: 'evaluation', evaluation: null },
      {
        ...{ type: 'set_alias', alias: 'production' },
        gate: [{ score: 'exact', min: 0.9, max: null, max_regression: null }],
      },
    ],
    ['of a dataset', { type: 'dataset_version', dataset: 'tickets' }, train],
    [
      'of a training job',
      { type: 'training_job', model: null, statuses: ['failed', 'cancelled'] },
      { ...train, config: { beta: 0.2, method: 'dpo' }, training_data: { ...data, sessions: true } },
    ],
    [
      'of reinforcement',
      { type: 'training_job', model: 'm', statuses: ['completed'] },
      { ...train, method: 'rl', experimental_config: { ppo: true } },
    ],
  ])('%s', (_, trigger, action) => {
    const definition = rule(trigger, action)
    const saved = savedOf(project, draftOf(project, 'a', definition))
    expect(saved).toEqual({ project_id: project, name: 'a', ...definition })
  })
})

it('trains on the newest version of a dataset that is chosen by name', () => {
  const ref = 'weave:///acme/shop/object/my%20rows:latest'
  const source = { ...data, dataset: ref, keep_duplicates: false, sessions: false }
  const draft = draftOf(project, 'a', rule(call, { ...train, training_data: source }))
  expect(draft.actions[0]).toMatchObject({ from: 'dataset', dataset: 'my rows' })
  expect(savedOf(project, draft)!.actions[0]).toMatchObject({ training_data: { dataset: ref } })
  const other = { ...source, dataset: 'weave:///acme/shop/object/rows:v1' }
  const kept = draftOf(project, 'a', rule(call, { ...train, training_data: other }))
  expect(kept.actions[0]).toMatchObject({ from: 'json' })
})

it.each<[string, TriggerDraft]>([
  ['a condition', { ...TRIGGERS.call, where: 'nothing:1' }],
  ['a share', { ...TRIGGERS.turn, percent: null }],
  ['a number', { ...TRIGGERS.score, feedback_type: 'mood', kind: 'number', value: 'many' }],
  ['how jobs end', { ...TRIGGERS.training_job, statuses: [] }],
])('is neither sent nor previewed without %s', (_, trigger) => {
  expect(savedOf(project, { ...NEW, trigger })).toBeUndefined()
  expect(previewOf({ name: 'a', trigger })).toBeUndefined()
})

it.each<[string, object]>([
  ['options of training', { config: '{' }],
  ['data', { from: 'json', data: '' }],
])('is not sent without readable %s', (_, more) => {
  const actions = [{ ...ACTIONS.train, ...more }]
  expect(savedOf(project, { ...NEW, actions })).toBeUndefined()
})

it('a condition is of the language of the traces, or JSON', () => {
  expect(savedOf(project, { ...NEW, trigger: { ...TRIGGERS.call, where: 'status:error' } })!.trigger).toEqual(
    { ...call, query: failed },
  )
  expect(whereProblem(JSON.stringify(failed))).toBeUndefined()
  expect(whereProblem('{}')).toContain('$expr')
  expect(whereProblem('mood:bad')).toContain('inputs.mood')
})

it('a preview has the name where a sample goes by it', () => {
  expect(previewOf({ name: 'a', trigger: TRIGGERS.call })).not.toHaveProperty('name')
  expect(previewOf({ name: 'a', trigger: { ...TRIGGERS.call, percent: 10 } })).toMatchObject({ name: 'a' })
  expect(previewOf({ name: 'a b', trigger: { ...TRIGGERS.call, percent: 10 } })).not.toHaveProperty('name')
})
