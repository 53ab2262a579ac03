import { expect, it } from 'vitest'
import { mentionAt } from './mention'

it.each([
  ['@', { start: 0, prefix: '' }],
  ['see @ad', { start: 4, prefix: 'ad' }],
  ['(@ada@example.o', { start: 1, prefix: 'ada@example.o' }],
  ['mail ada@example', undefined],
  ['@ada and', undefined],
])('of %j, a name is written: %j', (text, found) => expect(mentionAt(text, text.length)).toEqual(found))
