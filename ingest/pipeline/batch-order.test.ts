import { expect, it } from 'vitest'
import { BatchOrder } from './batch-order.js'

it('waits for every batch before, not for those after', async () => {
  const settling = new BatchOrder()
  const [one, two, three] = [settling.begin(), settling.begin(), settling.begin()]
  const reached: string[] = []
  const first = settling.reached(one).then(() => reached.push('one'))
  const second = settling.reached(two).then(() => reached.push('two'))
  const all = settling.reached().then(() => reached.push('all'))
  settling.end(two)
  await Promise.resolve()
  expect(reached).toEqual([])
  settling.end(one)
  await Promise.all([first, second])
  expect(reached).toEqual(['one', 'two'])
  settling.end(three)
  await all
  await settling.reached(three)
  await settling.reached()
})
