import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectIdOf } from '../platform/ids/project.js'
import { parseInternalRef, parseRef, type Ref, RefError, refText } from './ref.js'

const step = (kind: 'attr' | 'key' | 'index' | 'id', name: string) => ({ kind, name })

describe('refs', () => {
  it.each([
    ['weave:///e/p/object/o:d', { project: 'e/p', kind: 'object', name: 'o', digest: 'd', steps: [] }],
    ['weave:///e/p/op/o:*', { project: 'e/p', kind: 'op', name: 'o', digest: '*', steps: [] }],
    ['weave:///e/p/table/abc', { project: 'e/p', kind: 'table', digest: 'abc' }],
    ['weave:///e/p/call/1-2', { project: 'e/p', kind: 'call', id: '1-2', steps: [] }],
    [
      'weave:///e/my%2Bp/object/o:d/attr/rows/id/x/key/a%2Fb/index/3',
      {
        project: 'e/my+p',
        kind: 'object',
        name: 'o',
        digest: 'd',
        steps: [step('attr', 'rows'), step('id', 'x'), step('key', 'a/b'), step('index', '3')],
      },
    ],
    [
      'weave:///e/p/object/o:d/key/',
      { project: 'e/p', kind: 'object', name: 'o', digest: 'd', steps: [step('key', '')] },
    ],
  ])('%s', (text, expected) => {
    expect(parseRef(text)).toEqual(expected)
  })

  it.each([
    ['', 'it does not start with weave:///'],
    ['weave://e/p/object/o:d', 'it does not start with weave:///'],
    ['weave:///e/p', 'it has no target'],
    ['weave:////p/object/o:d', 'it does not name an entity/project'],
    ['weave:///e%2Fx/p/object/o:d', 'it does not name an entity/project'],
    ['weave:///e/p/thing/o:d', 'its kind is not object, op, table or call'],
    ['weave:///e/p/object/o', 'a ref of an object ends in name:digest'],
    ['weave:///e/p/object/o:', 'a ref of an object ends in name:digest'],
    ['weave:///e/p/op/:d', 'a ref of an op ends in name:digest'],
    ['weave:///e/p/object/', 'it has no target'],
    ['weave:///e/p/object/o:d/', 'its path has a step without a name'],
    ['weave:///e/p/object/o:d/attr', 'its path has a step without a name'],
    ['weave:///e/p/object/o:d/what/x', '"what" is not attr, key, index or id'],
    ['weave:///e/p/object/o:d/index/-1', 'the index "-1" is not a whole number'],
    ['weave:///e/p/object/o:d/index/x', 'the index "x" is not a whole number'],
    ['weave:///e/p/table/d/attr/x', 'a ref of a table has no path'],
    ['weave:///e/p/object/o:d/key/%zz', 'a percent sign is not followed by two hex digits'],
  ])('%s is none', (text, problem) => {
    expect(() => parseRef(text)).toThrow(`is not a ref: ${problem}`)
  })

  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const project = fc
    .tuple(word, word)
    .filter((parts) => !parts.some((part) => /[/\s]/.test(part)))
    .map((parts) => parts.join('/'))
  const name = word.filter((text) => !text.includes(':'))
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('attr', 'key', 'id'), name: fc.string({ unit: 'grapheme' }) }),
      fc.record({ kind: fc.constant('index'), name: fc.nat().map(String) }),
    ),
    { maxLength: 4 },
  )
  const ref = fc.oneof(
    fc.record({ project, kind: fc.constantFrom('object', 'op'), name, digest: word, steps }),
    fc.record({ project, kind: fc.constant('call'), id: word, steps }),
    fc.record({ project, kind: fc.constant('table'), digest: word }),
  ) as fc.Arbitrary<Ref>

  const inInternalForm = (given: Ref) =>
    refText(given).replace(
      /^weave:\/\/\/[^/]+\/[^/]+/,
      `weave-trace-internal:///${projectIdOf(given.project)}`,
    )

  it('written and read again are the same, whatever stands in their parts', () => {
    fc.assert(
      fc.property(ref, (given) => {
        expect(parseRef(refText(given))).toEqual(given)
        expect(parseInternalRef(inInternalForm(given))).toEqual({
          ...given,
          project: projectIdOf(given.project),
        })
      }),
    )
  })

  it('any text is a ref or a RefError, at once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const candidate of [text, `weave:///e/p/${text}`, `weave:///${text}`]) {
          try {
            parseRef(candidate)
          } catch (error) {
            expect(error).toBeInstanceOf(RefError)
          }
          parseInternalRef(candidate)
        }
      }),
    )
  })
})
