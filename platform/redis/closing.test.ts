import { expect, it } from 'vitest'
import { closed } from './closing.js'

it('waits for what closes, well or not', async () => {
  const ends: string[] = []
  const ending = async (name: string, fails: boolean) => {
    await new Promise(setImmediate)
    ends.push(name)
    if (fails) throw new Error(name)
  }
  await closed([ending('a', false), ending('b', true)], 60_000)
  expect(ends).toEqual(['a', 'b'])
})

it('does not wait for ever for what does not', async () => {
  expect(await closed([new Promise(() => undefined)], 1)).toBeUndefined()
})
