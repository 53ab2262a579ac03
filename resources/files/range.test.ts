import { expect, it } from 'vitest'
import { readRange } from './routes.js'

it.each([
  [undefined, undefined],
  ['', undefined],
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=2-5', { from: 2, to: 6 }],
  ['bytes=2-', { from: 2, to: 10 }],
  ['bytes=2-99', { from: 2, to: 10 }],
  ['bytes=-3', { from: 7, to: 10 }],
  ['bytes=-99', { from: 0, to: 10 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['items=0-1', undefined],
  ['bytes=a-b', undefined],
])('%s of ten bytes', (header, expected) => expect(readRange(header, 10)).toEqual(expected))
