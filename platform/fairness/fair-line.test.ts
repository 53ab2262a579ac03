import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { FairLine } from './fair-line.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('gives items of an account in their order, however long it is never empty', () => {
  const line = new FairLine<number>()
  const taken: number[] = []
  for (let i = 0; i < 500; i++) {
    line.push('a', i)
    if (i >= 32) taken.push(line.take()!.item)
  }
  while (line.length > 0) taken.push(line.take()!.item)
  expect(taken).toEqual(Array.from({ length: 500 }, (_, i) => i))
  expect(line.take()).toBeUndefined()
})

it('keeps nothing that was taken, though it is never empty', async () => {
  const line = new FairLine<object>()
  const refs: WeakRef<object>[] = []
  for (let i = 0; i < 100; i++) {
    const item = { i }
    refs.push(new WeakRef(item))
    line.push('a', item)
  }
  for (let i = 0; i < 99; i++) line.take()
  await new Promise(setImmediate)
  collectGarbage()
  expect(refs.filter((ref) => ref.deref() !== undefined)).toHaveLength(1)
})
