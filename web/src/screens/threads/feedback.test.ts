import { expect, it } from 'vitest'
import { feedbackOn } from './feedback'

const on = (feedback_type: string, payload: object) =>
  feedbackOn({ summary: { weave: { feedback: [{ id: '1', feedback_type, payload }] } } })[0]!.text

it.each<[string, string, object, string]>([
  ['a reaction', 'wandb.reaction.1', { emoji: '👎' }, '👎'],
  ['a note', 'wandb.note.1', { note: 'hm' }, 'hm'],
  ['the number of a scorer', 'wandb.runnable.exact', { output: 0.123456 }, 'exact 0.123'],
  ['a score within', 'wandb.runnable.exact', { output: { score: 1 } }, 'exact 1'],
  ['an answer', 'wandb.annotation.is-right', { value: false }, 'is-right false'],
  ['something else', 'helpful', { more: {} }, 'helpful'],
])('%s is shown in a few words', (_, type, payload, text) => expect(on(type, payload)).toBe(text))

it('a call without feedback says nothing', () => {
  expect(feedbackOn({ summary: null })).toEqual([])
  expect(feedbackOn({ summary: { weave: { feedback: 'x' } } })).toEqual([])
})
