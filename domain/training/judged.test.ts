import { expect, it } from 'vitest'
import { judgedOf } from './judged.js'

const judged = {
  prompt: [{ role: 'user', content: '?' }],
  completion: [{ role: 'assistant', content: 'Yes.' }],
  label: false,
}

it.each([
  ['lists of messages', judged],
  ['texts', { prompt: '?', completion: 'Yes.', label: false, tools: [], source: 'a survey' }],
])('takes %s', (_, value) => {
  expect(judgedOf(value)).toEqual(judged)
})

it.each<[unknown, RegExp]>([
  [[], /not an object/],
  [{ ...judged, prompt: '' }, /needs `prompt` and `completion`/],
  [{ ...judged, label: 1 }, /needs `label`: true/],
  [{ ...judged, completion: [{ role: 'user', content: 'No.' }] }, /no assistant message/],
  [{ ...judged, completion: [{ role: 'assistant' }] }, /messages\[1\] needs content/],
  [{ ...judged, tools: 1 }, /`tools` must be a list/],
])('names what is wrong with %j', (value, why) => {
  expect(judgedOf(value)).toMatch(why)
})
