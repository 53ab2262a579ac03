import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyParts, type Part } from './body-parts.js'

const limits = { field: 1000, element: 1000 }
const roomy = { field: 1e6, element: 1e6 }

async function parts(text: string, cut = 1, most = limits): Promise<Part[]> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += cut) yield Uint8Array.from(bytes.subarray(at, at + cut))
  }
  const found: Part[] = []
  for await (const part of bodyParts(chunks(), 'list', most)) found.push(part)
  return found
}

const value = (found: readonly Part[]) => {
  const object: Record<string, unknown> = {}
  for (const { field, index, bytes } of found) {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'))
    if (index === undefined) object[field] = parsed
    else {
      object[field] ??= []
      const list = object[field] as unknown[]
      list[index] = parsed
    }
  }
  return object
}

describe('a body in parts', () => {
  it('is the object that it was, wherever the chunks are cut', async () => {
    const object = fc.record(
      { model_id: fc.string(), list: fc.array(fc.jsonValue({ maxDepth: 3 })), config: fc.jsonValue() },
      { requiredKeys: [] },
    )
    const space = fc.constantFrom(0, 2, '\t')
    await fc.assert(
      fc.asyncProperty(object, space, fc.integer({ min: 1, max: 50 }), async (given, spaces, cut) => {
        const text = JSON.stringify(given, null, spaces)
        expect(value(await parts(text, cut, roomy))).toEqual(JSON.parse(text))
      }),
      { numRuns: 300 },
    )
  })

  it('with a list that is none gives it whole', async () => {
    expect(value(await parts('{"list": {"a": [1]}, "b":1}'))).toEqual({ list: { a: [1] }, b: 1 })
  })

  it.each([
    '',
    '[]',
    '{"list":[1,]}',
    '{"list":[1',
    '{"a" 1}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1}}',
    '{a:1}',
    'null',
  ])('that is %j is refused', async (text) => {
    for (const cut of [1, 100]) await expect(parts(text, cut)).rejects.toMatchObject({ status: 400 })
  })

  it('with a part over its limit is refused', async () => {
    await expect(parts(`{"list":["${'x'.repeat(2000)}"]}`, 50)).rejects.toMatchObject({ status: 413 })
    await expect(parts(`{"other":"${'x'.repeat(2000)}"}`, 50)).rejects.toMatchObject({ status: 413 })
  })
})
