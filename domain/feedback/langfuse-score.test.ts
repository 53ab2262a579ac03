/** Which scores are taken, and what is stored of them. */
import { expect, it } from 'vitest'
import { checkedScore, scorePayload } from './langfuse-score.js'

const score = { name: 'liked', value: 1, traceId: 't' }

it.each([
  ['a number', {}, { value: 1, dataType: 'NUMERIC' }],
  ['a text', { value: 'warm' }, { value: 'warm', dataType: 'CATEGORICAL' }],
  ['a boolean', { value: true, dataType: 'BOOLEAN' }, { value: 1, dataType: 'BOOLEAN' }],
  ['a number that means no', { value: 0, dataType: 'BOOLEAN' }, { value: 0, dataType: 'BOOLEAN' }],
  ['a longer text', { value: 'why', dataType: 'TEXT' }, { value: 'why', dataType: 'TEXT' }],
  ['an id', { id: 'mine' }, { id: 'mine' }],
  ['no id', {}, { id: 'made' }],
  ['an observation', { observationId: 'o' }, { traceId: 't', observationId: 'o' }],
  ['metadata', { metadata: { a: 1 } }, { metadata: { a: 1 } }],
  ['metadata that are no object', { metadata: [1] }, { metadata: { metadata: [1] } }],
])('takes %s', (_, given, stored) => {
  const checked = checkedScore({ ...score, ...given }, 'made')
  if (typeof checked === 'string') throw new Error(checked)
  expect(JSON.parse(scorePayload(checked))).toMatchObject(stored)
})

it.each([
  ['a score of nothing', { traceId: undefined }, 'exactly one of traceId'],
  ['a score of two things', { sessionId: 's' }, 'exactly one of traceId'],
  ['an observation of no trace', { traceId: null, sessionId: 's', observationId: 'o' }, 'needs its traceId'],
  ['a text for a number', { value: 'x', dataType: 'NUMERIC' }, 'should be a number'],
  ['a boolean of 2', { value: 2, dataType: 'BOOLEAN' }, 'should be 0 or 1'],
  ['a category of 2', { value: 2, dataType: 'CATEGORICAL' }, 'should be a text'],
  ['a text of 501 characters', { value: 'x'.repeat(501), dataType: 'TEXT' }, '1 to 500 characters'],
  ['no name', { name: '' }, 'name: '],
  ['an unknown type', { dataType: 'COLOR' }, 'dataType: '],
  ['a time of no zone', { timestamp: '2026-01-01T00:00:00' }, 'timestamp: '],
])('refuses %s, and says why', (_, given, problem) => {
  expect(checkedScore({ ...score, ...given }, 'made')).toContain(problem)
})

it.each([null, 5, 'x', []])('refuses %j', (given) => {
  expect(checkedScore(given, 'made')).toContain('The score: ')
})
