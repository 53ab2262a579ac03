import { beforeAll, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'

const project = `flow-${hex(4)}/refunds`

beforeAll(async () => {
  const now = new Date().toISOString()
  const batch = ['answer', 'answer', 'other'].map((op_name) => ({
    ...complete(project),
    ...{ op_name, started_at: now, ended_at: now, output: "I'm sorry, but I can't help with that." },
  }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})

it('a monitor is made from what it would match, and stopped', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Monitors' }).click()
  await page.getByRole('heading', { name: 'No monitor yet' }).waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'New monitor' }).click()
  await page.getByText('matched 3 calls').waitFor()
  await page.getByLabel('Ops, by commas').fill('answer')
  await page.getByText('matched 2 calls').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('refusals')
  await page.getByLabel('The model refuses').check()
  await inspect(page)
  await page.getByRole('button', { name: 'Make the monitor' }).click()
  const row = page.getByRole('row', { name: /^refusals/ })
  await row.getByText('On', { exact: true }).waitFor()

  await page.getByLabel('refusals scores calls').click()
  await row.getByText('Off', { exact: true }).waitFor()
  await inspect(page)
})
