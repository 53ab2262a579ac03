import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRef, refText } from '../../contract/ref.js'
import { nameIn, safeName, spanOpName } from './op-name.js'

const hash = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 4)
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('a', 'B', ' ', '/', '.', ',', '?', ':', 'ż', 'デ'), maxLength: 300 }),
)

describe('safe names', () => {
  it.each([
    ['agent run', 'agent_run'],
    ['GET /users/{id}', 'get__users_id'],
    ['My Dataset', 'my_dataset'],
    ['<b>Bold</b>', 'bbold_b'],
    ['name:with=invalid<chars>', 'namewithinvalidchars'],
    ['Żółć 7', 'żółć_7'],
    ['データ', 'データ'],
    ['a\tb\nc', 'abc'],
    ['İ', 'i'],
    ['ΑΣ', 'ας'],
    ['हिन्दी', 'हनद'],
    ['50% ½', '50_½'],
    ['a.b-c_d', 'a.b-c_d'],
    ['???', ''],
  ])('%j is %j', (name, safe) => expect(safeName(name)).toBe(safe))
})

describe('names of the ops of spans', () => {
  it.each([
    ['', 'span'],
    ['{}', 'span'],
    ['agent run', 'agent_run'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), `${'x'.repeat(123)}${hash('x'.repeat(129))}`],
    [`ab/${'x'.repeat(200)}`, `ab${hash(`ab/${'x'.repeat(200)}`)}`],
    [`/${'x'.repeat(200)}`, `_${hash(`/${'x'.repeat(200)}`)}`],
    [`//${'x'.repeat(200)}`, `_${hash(`//${'x'.repeat(200)}`)}`],
    [`a, b; c${'x'.repeat(200)}`, `a_b${hash(`a, b; c${'x'.repeat(200)}`)}`],
    [
      `${'x'.repeat(123)} ${'y'.repeat(9)}`,
      `${'x'.repeat(123)}${hash(`${'x'.repeat(123)} ${'y'.repeat(9)}`)}`,
    ],
    [`a ${'x'.repeat(121)} ${'y'.repeat(9)}`, `a${hash(`a ${'x'.repeat(121)} ${'y'.repeat(9)}`)}`],
    [
      `a ${'x'.repeat(120)} ${'y'.repeat(9)}`,
      `a_${'x'.repeat(120)}${hash(`a ${'x'.repeat(120)} ${'y'.repeat(9)}`)}`,
    ],
  ])('%j', (name, op) => expect(spanOpName(name)).toBe(op))

  it('any name makes one that an object may have, and that stays', () => {
    fc.assert(
      fc.property(text, (name) => {
        const op = spanOpName(name)
        expect(op).toMatch(/^[\p{L}\p{N}_.-]{1,128}$/u)
        expect(spanOpName(op)).toBe(op)
      }),
    )
  })

  it('a ref holds the name as it is, and so it is read without an escape', () => {
    fc.assert(
      fc.property(text, (name) => {
        const op = spanOpName(name)
        const ref = refText({ project: 'team/app', kind: 'op', name: op, digest: 'abc', steps: [] })
        expect(ref).toBe(`weave:///team/app/op/${op}:abc`)
        expect(parseRef(ref)).toMatchObject({ kind: 'op', name: op })
      }),
    )
  })
})

describe('names in refs', () => {
  it.each([
    ['weave:///acme/one/op/Evaluation.evaluate:abc', 'Evaluation.evaluate'],
    ['weave:///acme/one/object/my%20model:v1/attr/x', 'my model'],
    ['weave:///acme/one/object/50%:v1', '50%'],
    ['plain', 'plain'],
    ['weave:///acme/one/call/x', 'weave:///acme/one/call/x'],
  ])('%s', (ref, name) => expect(nameIn(ref)).toBe(name))
})
