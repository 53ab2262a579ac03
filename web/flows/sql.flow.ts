import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`

beforeAll(async () => {
  const call = (minutes: number, op_name: string) => ({
    ...complete(project),
    op_name,
    started_at: new Date(Date.now() - minutes * 60_000).toISOString(),
  })
  const batch = [call(10, 'ask'), call(100, 'ask'), call(200, '<img src=x onerror=alert(1)>')]
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})

it('a statement is run, shown as a table and a chart, saved and opened again', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'SQL' }).click()
  const statement = page.getByRole('textbox', { name: 'Statement', exact: true })
  const table = page.getByRole('table', { name: 'Result' })
  await statement.fill('SELECT op_name, count() AS calls FROM calls GROUP BY op_name ORDER BY calls DESC')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await table.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  expect(await table.getByRole('row').nth(1).textContent()).toBe('ask2')
  await page.getByRole('textbox', { name: 'Name of the statement' }).fill('by op')
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  await statement.fill('SELECT toStartOfMinute(started_at) AS at, count() AS n FROM calls GROUP BY at')
  await statement.press('Control+Enter')
  await page.getByRole('figure').getByText('n', { exact: true }).waitFor()
  await inspect(page)

  await statement.fill('SELECT nope FROM calls')
  await statement.press('Control+Enter')
  await page.getByRole('alert').getByText('There is no column "nope"').waitFor()
  await page.getByRole('button', { name: 'Saved' }).click()
  await page.getByRole('menuitem', { name: 'by op' }).click()
  await expect.poll(() => statement.inputValue()).toMatch(/GROUP BY op_name/)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'csv' }).click()
  expect((await download).suggestedFilename()).toBe('result.csv')

  await page.getByText('usage_by_hour').click()
  await page.getByRole('table', { name: 'usage_by_hour' }).getByText('total_cost').waitFor()
})
