import { expect, it } from 'vitest'
import { columnOf, fieldsOf, pathsIn, preview } from './columns.js'
import { conditionOf, readSearch, sortOf, spanOf } from './search.js'

const NOW = Date.parse('2026-06-01T12:00:00Z')

it('an address gives what it holds, and nothing else', () => {
  expect(readSearch({ q: 'a', range: 7, all: 'yes', live: true, evil: 1 })).toEqual({ q: 'a', live: true })
})
it('a range ends now, a span where it says', () => {
  expect(spanOf({ range: '1h' }, NOW)).toEqual({ from: NOW - 3_600_000, to: undefined })
  expect(spanOf({ from: '2026-06-01T00:00:00Z', to: 'soon' }, NOW)).toEqual({
    from: NOW - 43_200_000,
    to: undefined,
  })
})
it('nothing that began later is among the pages', () => {
  expect(conditionOf({ q: 'id:a' }, NOW)).toEqual({
    filter: { trace_roots_only: true },
    query: {
      $expr: {
        $and: [
          { $lte: [{ $getField: 'started_at' }, { $literal: '2026-06-01T12:00:00.000Z' }] },
          { $eq: [{ $getField: 'id' }, { $literal: 'a' }] },
        ],
      },
    },
  })
})
it('sorts by a field, the newest first', () => {
  expect(sortOf({})).toEqual([{ field: 'started_at', direction: 'desc' }])
  expect(sortOf({ sort: 'inputs.a' })).toEqual([{ field: 'inputs.a', direction: 'asc' }])
})
it('columns are those of a call, or paths into it', () => {
  expect(columnOf('inputs.a.b')).toMatchObject({ sort: 'inputs.a.b', reads: ['inputs'] })
  expect(columnOf('feedback.[wandb.runnable.rude].payload.output.value')).toMatchObject({
    ...{ title: 'rude value', withFeedback: true },
  })
  expect(columnOf('secret')).toBeUndefined()
  expect(fieldsOf([columnOf('output')!])).toEqual([
    'id',
    'trace_id',
    'op_name',
    'started_at',
    'output',
    'exception',
  ])
})
it('previews show the text of messages', () => {
  expect(preview({ messages: [{ content: 'a' }, { content: 'b' }] })).toBe('b')
  expect(
    preview({ choices: [{ message: { content: null, tool_calls: [{ function: { name: 'f' } }] } }] }),
  ).toBe('f(…)')
  expect(preview({ a: 1 })).toBe('a: 1')
})
it('paths are listed for completion', () => {
  expect(pathsIn([{ inputs: { a: { b: 1 }, c: [1] }, output: 'x' }] as never)).toEqual([
    'inputs.a.b',
    'inputs.c',
  ])
})
