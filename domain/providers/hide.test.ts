import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseTree, treeText } from '../../platform/json/tree.js'
import { hideIn, hideInTree } from './ask.js'

const secret = 'sk-0123456789'

it('no text keeps a secret, wherever it stands', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      expect(hideIn(before + secret + after, [secret])).toBe(`${before}REDACTED${after}`)
    }),
  )
})

it('nothing is hidden where there is no secret', () => expect(hideIn('text', ['', secret])).toBe('text'))

it('values and keys of any depth lose it, however they were escaped; numbers keep their text', () => {
  const text = `{"a":[1.0,"x ${secret}",{"${secret}":"\\u0073k-0123456789"}],"b":null}`
  expect(treeText(hideInTree(parseTree(text), [secret]))).toBe(
    '{"a":[1.0,"x REDACTED",{"REDACTED":"REDACTED"}],"b":null}',
  )
})
