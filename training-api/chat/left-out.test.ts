import { expect, it } from 'vitest'
import { leftOutHeader } from './left-out.js'

const named = (types: string[]) => leftOutHeader(types)['x-heddle-left-out']

it('names what was left out, if anything was', () => {
  expect(leftOutHeader([])).toEqual({})
  expect(named(['web_search', 'image_generation'])).toBe('web_search, image_generation')
})

it('is one line of bounded length, whatever a caller names', () => {
  expect(named(['a\r\nset-cookie: b=c', 'é'])).toBe('a__set-cookie__b_c, _')
  expect(named(Array.from({ length: 1000 }, () => 'x'.repeat(500)))).toHaveLength(20 * 102 - 2)
})
