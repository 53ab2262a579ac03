import { expect, it } from 'vitest'
import { Lru } from './lru.js'

it('keeps what was used last, up to its weight', () => {
  const lru = new Lru<string>(64, (text) => text.length)
  for (const key of ['a', 'b', 'c', 'd', 'e']) lru.set(key, 'xxxx')
  lru.get('a')
  for (let i = 0; i < 12; i++) lru.set(`n${i}`, 'xxxx')
  expect(lru.get('a')).toBe('xxxx')
  expect(lru.get('b')).toBeUndefined()
  lru.set('large', 'x'.repeat(5))
  expect(lru.get('large')).toBeUndefined()
  lru.set('a', 'yy')
  expect(lru.get('a')).toBe('yy')
  lru.delete('a')
  expect(lru.get('a')).toBeUndefined()
})
