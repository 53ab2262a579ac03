import fc from 'fast-check'
import { expect, it } from 'vitest'
import { refsToExternal } from '../../domain/refs/refs.js'
import { type JsonTree, parseTree, treeText } from '../../platform/json/tree.js'
import { externalText } from './external-refs.js'

const nameOf = (id: string) => (id === 'known' ? 'me/mine' : undefined)
const text = fc.oneof(
  fc.constantFrom(
    'weave-trace-internal:///known/object/a:b',
    'weave-trace-internal:///unknown/object/a:b',
    'weave-trace-internal:///known',
    'weave-trace-internal:///known/object/"\\a":b',
    '"weave-trace-internal:///known/object/a:b"',
    '\\"weave-trace-internal:///known/object/a:b',
    ': weave-trace-internal:///known/object/a:b',
  ),
  fc.string(),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true }),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
}))

it('refs of known projects get their names, whatever else is in a text', () => {
  fc.assert(
    fc.property(value, (json) => {
      const stored = treeText(parseTree(JSON.stringify(json)))
      const tree: JsonTree = refsToExternal(parseTree(stored), nameOf)
      expect(JSON.parse(externalText(stored, nameOf))).toEqual(JSON.parse(treeText(tree)))
    }),
  )
})

it('a text of more values than a tree may have is read all the same', () => {
  const stored = (ref: string) => `{"ref":"${ref}","list":[${'0,'.repeat(4_100_000)}0]}`
  expect(externalText(stored('weave-trace-internal:///known/object/a:b'), nameOf)).toBe(
    stored('weave:///me/mine/object/a:b'),
  )
  const long = 'x'.repeat(20_000_000)
  expect(externalText(`["weave-trace-internal:///known/${long}"]`, nameOf)).toHaveLength(
    `["weave:///me/mine/${long}"]`.length,
  )
})
