import { expect, it } from 'vitest'
import { BatchOrder } from './batch-order.js'

it('waits for every batch before, not for those after', async () => {
  const batchOrder = new BatchOrder()
  const [one, two, three] = [batchOrder.begin(), batchOrder.begin(), batchOrder.begin()]
  const reached: string[] = []
  const first = batchOrder.reached(one).then(() => reached.push('one'))
  const second = batchOrder.reached(two).then(() => reached.push('two'))
  const all = batchOrder.reached().then(() => reached.push('all'))
  batchOrder.end(two)
  await Promise.resolve()
  expect(reached).toEqual([])
  batchOrder.end(one)
  await Promise.all([first, second])
  expect(reached).toEqual(['one', 'two'])
  batchOrder.end(three)
  await all
  await batchOrder.reached(three)
  await batchOrder.reached()
})
