import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DETECTORS, MaskRule } from '../../contract/masking.js'
import type { RuleSet } from '../../domain/masking/rule-set.js'
import { RulesByScope } from '../../domain/masking/rules-by-scope.js'
import { decoded, requestOf } from './testing/decoded.js'
import { attribute, type ExportMessage, encodeExport, spanWith } from './testing/messages.js'

const rule = (given: object) => MaskRule.parse({ name: 'r', ...given })
const detectors = DETECTORS.map((detector) => rule({ name: detector, detector }))
const rulesOf = (scope: string, ...rules: MaskRule[]) => new RulesByScope([{ scope, salt: 's', rules }])
const SETS = {
  detectors: rulesOf('*', ...detectors),
  'detectors and a pattern': rulesOf(
    '*',
    ...detectors,
    rule({ name: 'p', pattern: 'emp-[0-9]{4}', ignore_case: true }),
  ),
  words: rulesOf('*', rule({ names: ['Ann Lee'] })),
  paths: rulesOf('*', rule({ path: 'attributes.a.b' }), rule({ name: 'q', path: '**.ssn' })),
}

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('ann@example.com', '4111 1111 1111 1111', 'EMP-1234', 'Ann Lee', '+49 30 1234567'),
      fc.string({ maxLength: 20 }),
      fc.constantFrom('\n', '"', ' and a few words more ', 'é'),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(' '))
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('b', 'ssn', 'other'), tie('any')),
    fc.dictionary(fc.constantFrom('b', 'ssn', 'other'), tie('any')).map((one) => JSON.stringify(one)),
  ),
})).any
const span = fc.record({
  name: text,
  attributes: fc.dictionary(fc.constantFrom('a', 'a.b', 'input.value', 'note', 'ssn'), value),
  message: text,
  event: fc.dictionary(fc.constantFrom('a.b', 'note'), value),
})
type Made = typeof span extends fc.Arbitrary<infer T> ? T : never

/** A request, each text of which `masked` changes. */
function requestFor(
  spans: readonly Made[],
  masked: (text: string, path: readonly string[]) => string,
): Buffer {
  const deep = (one: unknown, path: readonly string[]): unknown => {
    if (typeof one === 'string') return masked(one, path)
    if (Array.isArray(one)) return one.map((item) => deep(item, path))
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, deep(item, [...path, key])]))
  }
  const attributesOf = (one: object) =>
    Object.entries(deep(one, ['attributes']) as object).map(([key, item]) => attribute(key, item))
  const message: ExportMessage = {
    resourceSpans: [
      {
        resource: { attributes: [attribute('host', masked('on ann@example.com', ['resource', 'host']))] },
        scopeSpans: [
          {
            scope: { name: masked('lib by ann@example.com', []), version: masked('EMP-1234', []) },
            spans: spans.map(({ name, attributes, message: said, event }, n) => ({
              ...spanWith({}, { spanId: Buffer.from([1, 2, 3, 4, 5, 6, 7, n]), name: masked(name, []) }),
              attributes: attributesOf(attributes),
              events: [{ name: 'e', timeUnixNano: '1767225600000002000', attributes: attributesOf(event) }],
              status: { code: 2, message: masked(said, []) },
            })),
          },
        ],
      },
    ],
  }
  return encodeExport(message)
}

describe.each(Object.entries(SETS))('spans are stored as if they had been sent masked, by %s', (_, rules) => {
  it('whatever is in them', () => {
    const set: RuleSet = rules.of('team/app')
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 4 }), (spans) => {
        const counts = new Map<string, number>()
        const sent = requestOf(requestFor(spans, (one) => one))
        const masked = decoded([sent], { masking: { rules, counts } })
        const expected = decoded([requestOf(requestFor(spans, (one, path) => set.value(one, path)))])
        expect(masked.raw).toEqual(expected.raw)
        const isSame = JSON.stringify(decoded([sent]).raw) === JSON.stringify(expected.raw)
        expect(counts.size > 0).toBe(!isSame)
      }),
      { numRuns: 200 },
    )
  })
})

it('each block is masked by the rules of its own project', () => {
  const resourceOf = (project: string) => ({
    attributes: [attribute('platform.entity', 'ent'), attribute('platform.project', project)],
  })
  const block = (project: string, id: number) => ({
    resource: resourceOf(project),
    scopeSpans: [{ spans: [spanWith({ note: 'ann@example.com' }, { spanId: Buffer.alloc(8, id) })] }],
  })
  const body = encodeExport({ resourceSpans: [block('one', 1), block('two', 2)] })
  const masking = { rules: rulesOf('ent/two', ...detectors), counts: new Map() }
  const { raw } = decoded([requestOf(body)], { masking })
  expect(raw.map(({ attributes }) => /ann@example/.test(String(attributes)))).toEqual([true, false])
  // By TypeScript and by WebAssembly.
  expect([...masking.counts]).toEqual([['["ent/two","ent/two","email"]', 2]])
})
