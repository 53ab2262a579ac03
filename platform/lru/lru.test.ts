import { expect, it } from 'vitest'
import { Recent } from './lru.js'

it('keeps what was used last, up to its weight', () => {
  const recent = new Recent<string>(64, (text) => text.length)
  for (const key of ['a', 'b', 'c', 'd', 'e']) recent.set(key, 'xxxx')
  recent.get('a')
  for (let i = 0; i < 12; i++) recent.set(`n${i}`, 'xxxx')
  expect(recent.get('a')).toBe('xxxx')
  expect(recent.get('b')).toBeUndefined()
  recent.set('large', 'x'.repeat(5))
  expect(recent.get('large')).toBeUndefined()
  recent.set('a', 'yy')
  expect(recent.get('a')).toBe('yy')
  recent.delete('a')
  expect(recent.get('a')).toBeUndefined()
})
