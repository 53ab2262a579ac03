import { expect, it } from 'vitest'
import { wholeOf } from './own.js'

const call = { projectId: 'p1', id: 'c', ver: 5, open: true }
const end = { endedAt: 1_000_000, output: '{"a":"x"}', summary: '{}' }

it('the SQL of an end', async () => {
  const { query, params } = wholeOf(call, end, [1, 2], 6).render()
  await expect(`${query}\n\n-- ${JSON.stringify(params)}\n`).toMatchFileSnapshot('./__snapshots__/end.sql')
})

it('an end that is replaced', () => {
  expect(wholeOf({ ...call, open: false }, end, [], 6).render().query).toContain('FROM calls WHERE')
})
