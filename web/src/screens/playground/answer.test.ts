import { expect, it } from 'vitest'
import { type Line, messageOf, NO_ANSWER, resultMessages, withLines } from './answer'

const delta = (given: object, finish_reason: string | null = null): Line => ({
  choices: [{ index: 0, delta: given, finish_reason }],
})

it('an answer grows with its lines', () => {
  let answer = withLines(NO_ANSWER, [{ _meta: { weave_call_id: 'c1' } }, delta({ content: '' })], 5)
  expect(answer).toEqual({ ...NO_ANSWER, callId: 'c1' })
  answer = withLines(answer, [delta({ reasoning: 'Hm.' }), delta({ content: 'Pa' })], 20)
  answer = withLines(
    answer,
    [delta({ content: 'ris' }, 'stop'), { choices: [{ index: 1, delta: { content: 'x' } }] }],
    30,
  )
  answer = withLines(answer, [{ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } }], 31)
  expect(answer).toMatchObject({
    text: 'Paris',
    reasoning: 'Hm.',
    finish: 'stop',
    firstAt: 20,
    tokens: { input: 3, output: 1 },
  })
  expect(messageOf(answer)).toEqual({ role: 'assistant', content: 'Paris' })
})

it('calls of tools are put together, and an error is told', () => {
  const part = (index: number, given: object) => delta({ tool_calls: [{ index, ...given }] })
  const lines = [
    part(0, { id: 't', function: { name: 'f', arguments: '{"a"' } }),
    part(0, { function: { arguments: ':1}' } }),
  ]
  const answer = withLines(NO_ANSWER, [...lines, { error: { message: 'gone' } }], 1)
  expect(answer).toMatchObject({ error: 'gone', toolCalls: [{ id: 't', name: 'f', arguments: '{"a":1}' }] })
  expect(messageOf(answer)).toMatchObject({
    content: null,
    tool_calls: [{ id: 't', function: { arguments: '{"a":1}' } }],
  })
  expect(resultMessages(answer, ['42'])).toEqual([{ role: 'tool', tool_call_id: 't', content: '42' }])
  const nameless = withLines(NO_ANSWER, [part(0, { function: { name: 'f' } })], 1)
  expect(messageOf(nameless)).toMatchObject({ tool_calls: [{ id: 'call_0' }] })
  expect(resultMessages(nameless, [])).toEqual([{ role: 'tool', tool_call_id: 'call_0', content: '' }])
})
