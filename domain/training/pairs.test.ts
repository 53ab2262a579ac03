import { expect, it } from 'vitest'
import { pairOf } from './pairs.js'

const user = (content: string) => ({ role: 'user', content })
const said = (content: string) => ({ role: 'assistant', content })
const pair = { prompt: [user('?')], chosen: [said('Yes.')], rejected: [said('No.')] }

it.each([
  ['lists of messages', pair],
  ['texts', { prompt: '?', chosen: 'Yes.', rejected: 'No.' }],
  [
    'conversations that begin alike',
    { chosen: [user('?'), said('Yes.')], rejected: [user('?'), said('No.')] },
  ],
  [
    "OpenAI's fields",
    {
      input: { messages: [user('?')], tools: [], parallel_tool_calls: true },
      preferred_output: [said('Yes.')],
      non_preferred_output: [said('No.')],
    },
  ],
])('takes %s', (_, value) => {
  expect(pairOf(value)).toEqual(pair)
})

it('keeps tools and scores of others out', () => {
  const tools = [{ type: 'function', function: { name: 'add' } }]
  expect(pairOf({ ...pair, tools, score_chosen: 5 })).toEqual({ ...pair, tools })
})

it.each<[unknown, RegExp]>([
  [[], /not an object/],
  [{ prompt: '?', chosen: 'Yes.' }, /needs `chosen` and `rejected`/],
  [{ chosen: 'Yes.', rejected: 'No.' }, /needs `prompt`/],
  [{ ...pair, rejected: pair.chosen }, /are the same/],
  [{ ...pair, rejected: [user('No.')] }, /`rejected` answer, it has no assistant message/],
  [{ ...pair, chosen: [{ role: 'assistant' }] }, /`chosen` answer, messages\[1\] needs content/],
  [{ ...pair, prompt: [3] }, /messages\[0\] needs a role/],
  [{ ...pair, tools: 1 }, /`tools` must be a list/],
  [{ ...pair, chosen: [said('\ud83d')] }, /surrogate/],
])('names what is wrong with %j', (value, why) => {
  expect(pairOf(value)).toMatch(why)
})
