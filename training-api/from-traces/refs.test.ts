import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolved } from './refs.js'
import type { Row } from './row.js'

const ref = (name: string) => `weave:///acme/one/object/${name}:1`

async function all(values: unknown[], objects: Record<string, unknown>) {
  const asked: number[] = []
  async function* rows(): AsyncGenerator<Row> {
    for (const [i, value] of values.entries()) yield { id: String(i), kind: 'row', value: { value } }
  }
  const read = async (refs: readonly string[]) => {
    asked.push(refs.length)
    return refs.map((one) => objects[one] ?? null)
  }
  const found: unknown[] = []
  for await (const { value } of resolved(rows(), read)) found.push(value.value)
  return { found, asked }
}

describe('refs in rows', () => {
  it('get their values, and those in values, and stay where nothing is found', async () => {
    const objects = { [ref('a')]: { text: [ref('b')] }, [ref('b')]: 'deep' }
    const { found } = await all([ref('a'), [ref('none')], `see ${ref('b')}`], objects)
    expect(found).toEqual([{ text: ['deep'] }, [ref('none')], `see ${ref('b')}`])
  })

  it('are asked for many at once, each once', async () => {
    const { found, asked } = await all(
      Array.from({ length: 250 }, () => ref('a')),
      { [ref('a')]: 'x' },
    )
    expect(asked).toEqual([1, 1])
    expect(new Set(found)).toEqual(new Set(['x']))
  })

  it('end: circles, and values that grow without bound', async () => {
    const circle = await all([ref('a')], { [ref('a')]: [ref('a')] })
    expect(JSON.stringify(circle.found).length).toBeLessThan(200)
    const wide = (to: string) => Array.from({ length: 1000 }, () => ref(to))
    const objects = { [ref('a')]: wide('b'), [ref('b')]: wide('c'), [ref('c')]: wide('d'), [ref('d')]: 'x' }
    const { found } = await all([ref('a')], objects)
    expect(JSON.stringify(found).length).toBeLessThan(40 * 2 ** 20)
  })

  it('change nothing else', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (values) => {
        expect((await all(values, {})).found).toEqual(values)
        const beside = await all([...values, ref('a')], { [ref('a')]: 1 })
        expect(JSON.stringify(beside.found)).toBe(JSON.stringify([...values, 1]))
      }),
    ))
})
