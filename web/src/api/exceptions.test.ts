import { expect, it } from 'vitest'
import { failureIn } from './exceptions'

it('the JSON of the weave SDK becomes a title and its frames, the innermost first', () => {
  const frame = (filename: string, function_name: string) => ({
    ...{ filename, line_number: 7, function_name, text: 'f()' },
  })
  const traceback = [
    frame('/app/main.py', 'main'),
    frame('/v/lib/python3.11/site-packages/openai/x.py', 'post'),
  ]
  const sent = JSON.stringify({ type: 'RateLimitError', message: 'slow\ndown', traceback })
  const { title, frames, text } = failureIn(sent)
  expect([title, text]).toEqual(['RateLimitError: slow\ndown', undefined])
  expect(frames.map(({ name, isForeign, line }) => [name, isForeign, line])).toEqual([
    ['post', true, 7],
    ['main', false, 7],
  ])
})

it.each([
  ['Traceback\n  File "x.py"\nKeyError: 4471\n', 'KeyError: 4471'],
  ['{"no":"error"}', '{"no":"error"}'],
  ['{broken', '{broken'],
  ['{"message":"m","traceback":[null,1]}', 'm'],
])('%j is called %s', (sent, title) => expect(failureIn(sent).title).toBe(title))
