/** Events of one id are put together, whatever their keys are. */
import { expect, it } from 'vitest'
import { readBatch } from './events.js'

const timestamp = '2026-06-01T12:00:00Z'
const traces = (bodies: object[]) =>
  readBatch(
    bodies.map((body, i) => ({ id: `e${i}`, type: 'trace-create', timestamp, body: { ...body, id: 't' } })),
  )

it('later events win, and what they leave out stays', () => {
  const { traces: found, events } = traces([
    { name: 'a', metadata: { x: 1, y: 1 }, tags: ['a'] },
    { name: null, metadata: { y: 2 }, input: 'i' },
    { name: 'b' },
  ])
  expect(found.get('t')).toEqual({
    ...{ id: 't', timestamp, name: 'b', input: 'i', tags: ['a'], metadata: { x: 1, y: 2 } },
  })
  expect(events.get('t')).toEqual(['e0', 'e1', 'e2'])
})

it('keys of every object are keys like others', () => {
  const { traces: found } = traces([
    { metadata: JSON.parse('{"__proto__":{"a":1},"constructor":2}') },
    { metadata: JSON.parse('{"__proto__":{"b":1}}') },
  ])
  expect(JSON.stringify(found.get('t')?.metadata)).toBe('{"__proto__":{"b":1},"constructor":2}')
})
