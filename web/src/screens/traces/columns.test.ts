import { expect, it } from 'vitest'
import type { Call } from '../../api/client.js'
import { preview, valueAt } from './columns.js'

it.each([
  [{ question: 'Where is it?' }, 'Where is it?'],
  [{ question: 'Where?', lang: 'en' }, 'question: Where?  lang: en'],
  [{ number: 7 }, 'number: 7'],
  [
    { self: 'weave:///a/b/object/quiz:Xy1', rows: [1], at: { x: null } },
    'self: quiz  rows: [1]  at: {"x":null}',
  ],
  [['one'], '["one"]'],
  [{}, ''],
  [{ messages: [{ role: 'user', content: 'Hello' }] }, 'Hello'],
  ['a text', 'a text'],
  [null, ''],
  [{ _omitted: { bytes: 20_000_000 } }, '20.0 MB: open the call to see it'],
])('%j is shown as %s', (value, expected) => {
  expect(preview(value)).toBe(expected)
})

it('a score is that of the first feedback of its type, by either name', () => {
  const said = (feedback_type: string, created_at: string, value: boolean) => ({
    ...{ feedback_type, created_at, payload: { output: { value } } },
  })
  const feedback = [
    said('wandb.runnable.rude', '2026-11-02', true),
    said('platform.runnable.rude', '2026-11-01', false),
    said('wandb.runnable.other', '2026-10-01', true),
  ]
  const call = { summary: { weave: { feedback } } } as unknown as Call
  expect(valueAt(call, 'feedback.[wandb.runnable.rude].payload.output.value')).toBe(false)
  expect(valueAt(call, 'feedback.[wandb.runnable.none].payload.output.value')).toBeUndefined()
  expect(valueAt(call, 'summary.weave.feedback')).toBe(feedback)
})
