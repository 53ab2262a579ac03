import { expect, it } from 'vitest'
import { EXAMPLES, NEW, TRIGGERS } from './draft'
import { savedOf } from './saved'
import { type Said, sentenceOf, triedText } from './shown'

const call = { type: 'call', op_names: null, query: null, sampling_rate: 1 }
const failed = { $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: 'error' }] } }
const score = { type: 'score', monitor: null, json_path: 'output.value', comparison: '=' }
const notify = { type: 'notify', channel: 'ops', message: null }
const queue = { type: 'add_to_queue', queue: 'review' }
const alias = { type: 'set_alias', alias: 'production', gate: [] }
const train = { type: 'train', model: 'm', training_data: null }

it.each<[string, object, object[]]>([
  ['a call ends, put the call into the queue "review"', call, [queue]],
  [
    'a call of answer or chat ends that matches status:error (7 % of them), notify people by "ops"',
    {
      ...call,
      ...{ op_names: ['answer', 'weave:///acme/shop/op/chat:*'], query: failed, sampling_rate: 0.07 },
    },
    [notify],
  ],
  [
    'a turn of an agent ends, add the call to the dataset "d", put the call into the queue "review" and notify people by "ops"',
    { ...call, type: 'turn' },
    [{ type: 'add_to_dataset', dataset: 'd' }, queue, notify],
  ],
  [
    'a score "refusal" of the monitor "m" comes with output.value = true, notify people by "ops"',
    { ...score, feedback_type: 'wandb.runnable.refusal', monitor: 'm', value: true },
    [notify],
  ],
  [
    'a score "mood" comes, notify people by "ops"',
    { ...score, feedback_type: 'mood', value: null },
    [notify],
  ],
  [
    'the alias "production" of any object is set, run the evaluation "e" on the version that has the alias',
    { type: 'alias', object: null, alias: 'production' },
    [{ type: 'evaluate', evaluation: 'e', model: null }],
  ],
  [
    'an alias of the object "m" is set, run the evaluation "e" on the model "m:production"',
    { type: 'alias', object: 'm', alias: null },
    [{ type: 'evaluate', evaluation: 'e', model: 'm:production' }],
  ],
  [
    'a dataset gets a new version, train the model "m" on that version and set the alias "production" to that version',
    { type: 'dataset_version', dataset: null },
    [train, alias],
  ],
  [
    'a run of the evaluation "e" ends, set the alias "production" to the model that was evaluated',
    { type: 'evaluation', evaluation: 'e' },
    [alias],
  ],
  [
    'a training job of any model fails or is cancelled, train the model "m"',
    { type: 'training_job', model: null, statuses: ['failed', 'cancelled'] },
    [{ ...train, training_data: {} }],
  ],
])('When %s.', (text, trigger, actions) => {
  expect(sentenceOf({ trigger, actions } as unknown as Said)).toBe(`When ${text}.`)
})

it.each([
  ['A thumb down, for review', 'When a thumb down comes, put the call into the queue "review".'],
  [
    'Good scores, for production',
    'When a run of an evaluation ends, set the alias "production" to the model that was evaluated if its scores pass.',
  ],
])('%s: %s', (title, text) => {
  expect(sentenceOf(savedOf('a/b', { ...NEW, ...EXAMPLES[title]! }) as Said)).toBe(text)
})

it('what is not typed yet is left open', () => {
  const draft = { ...NEW, trigger: { ...TRIGGERS.score, feedback_type: 'mood', monitor: '' } }
  expect(sentenceOf(savedOf('a/b', draft) as Said)).toContain('the queue "…"')
})

it.each([
  [0, ''],
  [1, 'tried once'],
  [3, 'tried 3 times'],
])('%i attempts: %s', (attempts, text) => expect(triedText({ attempts })).toBe(text))
