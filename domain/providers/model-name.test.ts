import { expect, it } from 'vitest'
import { modelObjectId, readModelName } from './model-name.js'

it.each([
  ['custom::studio::draw-1', { provider: 'studio', model: 'draw-1' }],
  ['custom::studio::team/draw::2', { provider: 'studio', model: 'team/draw::2' }],
  ['studio/draw-1', { provider: 'studio', model: 'draw-1' }],
  ['studio/team/draw', { provider: 'studio', model: 'team/draw' }],
  ['draw-1', { object: 'draw-1' }],
  ['custom::studio/eu:1::draw-1', { provider: 'studio/eu:1', model: 'draw-1' }],
  ['custom::studio', undefined],
  ['custom::::x', undefined],
  ['custom::studio::', undefined],
  ['studio/', undefined],
  ['/draw', undefined],
  ['no such name', undefined],
  ['', undefined],
])('%j', (name, expected) => expect(readModelName(name)).toEqual(expected))

it.each([
  ['studio', 'draw-1', 'studio-draw-1'],
  ['studio', 'team/draw', undefined],
  ['studio', 'x'.repeat(130), undefined],
])('%j and %j are described by %j', (provider, model, expected) =>
  expect(modelObjectId(provider, model)).toBe(expected),
)
