import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UInt32ArrayColumn } from './column.js'
import { hashBytes } from './hash.js'
import { indexJson, type LeafRoot } from './json-leaves.js'
import { addLeaf, isIndexedText, LEAF_LIMIT, leafHash, pathSegments, TRUNCATED } from './leaves.js'

/** The hashes that `indexJson` adds, in order. */
function hashesOf(root: LeafRoot, text: string): number[] {
  const found: number[] = []
  const leaves = new UInt32ArrayColumn()
  const add = leaves.add.bind(leaves)
  leaves.add = (hash) => {
    found.push(hash)
    add(hash)
  }
  const bytes = Buffer.from(`,${text},`)
  indexJson(leaves, root, bytes, 1, bytes.length - 1)
  return found
}

/** The same by JSON.parse and the documented rules. */
function expected(root: string, text: string): number[] {
  const leaves: number[] = []
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') {
      const size = Buffer.byteLength(value)
      if (size > 0 && size <= 256) leaves.push(leafHash(path, value))
    } else if (typeof value === 'boolean') leaves.push(leafHash(path, String(value)))
    else if (Array.isArray(value)) {
      value.forEach((item, i) => {
        walk(item, `${path}.${i}`)
      })
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inside] of Object.entries(value)) walk(inside, `${path}.${key.replaceAll('.', '\\.')}`)
    }
  }
  walk(JSON.parse(text), root)
  return leaves.length <= LEAF_LIMIT - 1 ? leaves : [...leaves.slice(0, LEAF_LIMIT - 1), TRUNCATED]
}

describe('leaves', () => {
  const key = fc.oneof(
    fc
      .string({ unit: 'binary', maxLength: 12 })
      .filter((text) => !text.includes('\\') && text !== '__proto__'),
    fc.constantFrom('a.b', 'k'.repeat(300), 'é"'),
  )
  const leaf = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '',
      '\n"\\/\b\f\r\t\u0001é😀',
      'x'.repeat(256),
      'x'.repeat(257),
      '\n'.repeat(256),
      '😀'.repeat(65),
    ),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
  )
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }).map((object) => ({ ...object })),
    ),
  }))

  it('are found in JSON text as JSON.parse would find them, however it is written', () => {
    const escaped = (text: string) =>
      text.replace(/[\u0080-\uffff/]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    fc.assert(
      fc.property(tree, fc.constantFrom('inputs', 'output', 'attributes'), (value, root) => {
        for (const text of [
          JSON.stringify(value),
          JSON.stringify(value, null, 2),
          escaped(JSON.stringify(value)),
        ]) {
          expect(hashesOf(root, text)).toEqual(expected(root, text))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('end with TRUNCATED when there are too many', () => {
    for (const count of [255, 256, 1000]) {
      const text = JSON.stringify(Array.from({ length: count }, (_, i) => `v${i}`))
      const hashes = hashesOf('output', text)
      expect(hashes).toEqual(expected('output', text))
      expect(hashes.includes(TRUNCATED)).toBe(count > 255)
    }
  })

  it('end with TRUNCATED below what is nested too deep', () => {
    expect(hashesOf('inputs', `${'['.repeat(5000)}"x"${']'.repeat(5000)}`)).toEqual([TRUNCATED])
  })

  it('never take more places than the limit, TRUNCATED once among them', () => {
    const leaves = new UInt32ArrayColumn()
    for (let row = 0; row < 2; row++) {
      for (let i = 0; i < 1000; i++) addLeaf(leaves, 7)
      expect(leaves.pending).toBe(LEAF_LIMIT)
      leaves.end()
    }
  })

  it.each([
    ['hello', true],
    ['true', true],
    ['x'.repeat(256), true],
    ['x'.repeat(257), false],
    ['é'.repeat(129), false],
    ['', false],
    ['null', false],
    ['12', false],
    ['-1e5', false],
    ['.5', false],
    ['-0', false],
    ['123456789012345678901234567890.50', false],
    ['2E+300', false],
    ['-nan', false],
    // No number is written so.
    ['0012', true],
    ['2026-11-21T10:00:00Z', true],
    ['3f2a-77', true],
    ['1e5f', true],
    ['-', true],
    ['nan', false],
    ['Infinity', false],
    ['{"a":1}', false],
    ['[]', false],
  ])('isIndexedText(%j) = %j', (text, answer) => {
    expect(isIndexedText(text)).toBe(answer)
  })

  it('have paths whose dots can be escaped', () => {
    expect(pathSegments('inputs.gen_ai\\.prompt.0.role')).toEqual(['inputs', 'gen_ai.prompt', '0', 'role'])
    expect(leafHash('inputs.a.b', 'x')).not.toBe(leafHash('inputs.a\\.b', 'x'))
  })

  it('use a known hash', () => {
    const hash = (text: string, seed = 0) => hashBytes(seed, Buffer.from(`-${text}`), 1, text.length + 1)
    expect([hash(''), hash('', 1), hash('test'), hash('Hello, world!', 1234)]).toEqual([
      0, 0x514e28b7, 0xba6bd213, 0xfaf6cdb3,
    ])
  })

  it('have hashes that stay as they are: rows were written with them', () => {
    expect([leafHash('inputs.a.0.b', 'hello'), leafHash('output', 'true')]).toMatchInlineSnapshot(`
      [
        2651677446,
        400756450,
      ]
    `)
  })

  it('spread as well as chance', () => {
    const seen = new Set<number>()
    for (let i = 0; i < 2000; i++)
      for (let k = 0; k < 50; k++) seen.add(leafHash(`inputs.k${k}`, `value ${i}`))
    // 100,000 hashes of 32 bits collide about once.
    expect(seen.size).toBeGreaterThan(100_000 - 12)
  })
})
