import { expect, it } from 'vitest'
import { storedRows } from './own.js'

const call = { projectId: 'p1', id: 'c', ver: 5, open: true }

it('the SQL of what an end leaves as it is', async () => {
  const { query, params } = storedRows([call]).render()
  await expect(`${query}\n\n-- ${JSON.stringify(params)}\n`).toMatchFileSnapshot('./__snapshots__/end.sql')
})

it('an end that is replaced', () => {
  expect(storedRows([{ ...call, open: false }]).render().query).toContain('FROM calls WHERE')
})
