import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectIdOf } from '../../platform/ids/project.js'
import { parseTree, treeText } from '../../platform/json/tree.js'
import { refsToExternal, refsToInternal, refToExternal, refToInternal } from './refs.js'

const id = projectIdOf('me/mine')

describe('refs', () => {
  it.each([
    ['weave:///me/mine/object/a:b', `weave-trace-internal:///${id}/object/a:b`],
    ['weave:///me/mine/call/1', `weave-trace-internal:///${id}/call/1`],
    ['weave:///m%65/mine/op/f:*', `weave-trace-internal:///${id}/op/f:*`],
    ['weave:///me/mine', 'weave:///me/mine'],
    ['weave:///me/mine/', 'weave:///me/mine/'],
    ['weave:///me', 'weave:///me'],
    ['weave:////mine/object/a:b', 'weave:////mine/object/a:b'],
    ['weave:///a%zz/mine/object/a:b', `weave-trace-internal:///${projectIdOf('a%zz/mine')}/object/a:b`],
    ['weave:///a%20b/mine/object/a:b', `weave-trace-internal:///${projectIdOf('a b/mine')}/object/a:b`],
    ['weave:///a%20/mine/object/a:b', 'weave:///a%20/mine/object/a:b'],
    [' weave:///me/mine/object/a:b', ' weave:///me/mine/object/a:b'],
    [`weave-trace-internal:///${id}/object/a:b`, `weave-trace-internal:///${id}/object/a:b`],
  ])('%s inside is %s', (text, expected) => {
    expect(refToInternal(text)).toBe(expected)
  })

  it('come out again under the name of the project, or stay', () => {
    const inside = `weave-trace-internal:///${id}/object/a:b`
    expect(refToExternal(inside, (asked) => (asked === id ? 'me/mine' : undefined))).toBe(
      'weave:///me/mine/object/a:b',
    )
    expect(refToExternal(inside, () => "m'e/mine")).toBe("weave:///m'e/mine/object/a:b")
    expect(refToExternal(inside, () => '100%/проект')).toBe('weave:///100%25/проект/object/a:b')
    expect(refToExternal(inside, () => undefined)).toBe(inside)
  })

  it('change anywhere in a value, and nothing else does', () => {
    const text =
      '{"weave:///me/mine/op/k:1":[1.0,{"r":"weave:///me/mine/op/f:1"}],"s":"see weave:///me/mine/op/f:1"}'
    const inside = refsToInternal(parseTree(text))
    expect(treeText(inside)).toBe(
      `{"weave:///me/mine/op/k:1":[1.0,{"r":"weave-trace-internal:///${id}/op/f:1"}],"s":"see weave:///me/mine/op/f:1"}`,
    )
    expect(treeText(refsToExternal(inside, () => 'me/mine'))).toBe(text)
  })

  it('survive the way in and out', () => {
    const part = fc.stringMatching(/^[\w.~!()ßя日-]{1,10}( [\w.~!()ßя日-]{1,10})?$/)
    fc.assert(
      fc.property(part, part, part, (entity, project, rest) => {
        const ref = `weave:///${entity}/${project}/object/${rest}`
        expect(refToExternal(refToInternal(ref), () => `${entity}/${project}`)).toBe(ref)
      }),
    )
  })
})
