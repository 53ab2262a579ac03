import { expect, it } from 'vitest'
import { parseTree, treeText } from '../../platform/json/tree.js'
import { MovedRefs } from './moved-refs.js'

const refs = new MovedRefs('a/b', 'c/d 1', { old: 'new' })

it.each([
  ['weave:///a/b/object/o:v/attr/x', 'weave:///c/d 1/object/o:v/attr/x'],
  ['weave:///a/b/object/o:old/attr/x', 'weave:///c/d 1/object/o:new/attr/x'],
  ['weave:///a/b/op/f:old', 'weave:///c/d 1/op/f:new'],
  ['weave:///a/b/table/old', 'weave:///c/d 1/table/new'],
  ['weave:///a/b/call/old', 'weave:///c/d 1/call/old'],
  ['weave:///a/b/object/o:older', 'weave:///c/d 1/object/o:older'],
  ['weave:///a/bc/object/o:old', 'weave:///a/bc/object/o:old'],
  ['see weave:///a/b/object/o:old', 'see weave:///a/b/object/o:old'],
])('%s becomes %s', (ref, moved) => expect(refs.text(ref)).toBe(moved))

it('moves the refs inside values, whose numbers stay as they were written', () => {
  const value = '{"weave:///a/b/call/1":["weave:///a/b/call/1",1.0,12345678901234567890]}'
  expect(treeText(refs.tree(parseTree(value)))).toBe(value.replace('["weave:///a/b', '["weave:///c/d 1'))
})
