import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { jsonLines } from '../../test/support/api.js'
import { hex } from '../../test/support/ids.js'
import { createKey } from '../../test/support/keys.js'
import { inspect, server, visit } from './browser.js'

const entity = `t${hex(4)}`
const project = `${entity}/one`
let admin: string

beforeAll(async () => {
  admin = await createKey(server, entity, 'admin')
  const keep = { project_id: project, retention_days: 7 }
  await server.api.as(admin).send('POST', '/project/ttl_settings/update', keep)
  await server.api.as(admin).send('DELETE', `/keys/${encodeURIComponent('<b>gone</b>')}`)
})

it('who did what is listed, filtered, looked at and exported', async () => {
  const page = await visit('/settings?tab=audit', admin)
  const log = page.getByRole('table', { name: 'Audit log' })
  await log.getByRole('row', { name: /ttl_settings_update done/ }).waitFor()
  await expect.poll(() => page.getByLabel('Entity or project').inputValue()).toBe(entity)
  await expect.poll(() => page.getByRole('button', { name: 'Check the log' }).count()).toBe(0)
  await inspect(page)
  await page.getByLabel('Outcome').selectOption('failed')
  await log.getByText('ttl_settings_update').waitFor({ state: 'detached' })
  await log.getByRole('button', { name: 'key_revoke' }).click()
  const dialog = page.getByRole('dialog', { name: 'What was done' })
  await dialog.getByText('failed: 404 NOT_FOUND').waitFor()
  await dialog.getByText('key_id: <b>gone</b>').waitFor()
  await dialog.getByRole('row', { name: /^end / }).waitFor()
  await inspect(page)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByLabel('Category').selectOption('settings')
  await page.getByText('Nothing is in the log for this').waitFor()
  await page.getByLabel('Outcome').selectOption('')
  await log.getByText('ttl_settings_update').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export JSONL' }).click(),
  ])
  const lines = jsonLines(readFileSync(await download.path(), 'utf8'))
  expect(lines.map(({ action, phase }) => `${action} ${phase}`)).toEqual([
    ...['ttl_settings_update begin', 'ttl_settings_update end'],
  ])
  await page.getByLabel('Entity or project').fill('another')
  await page.getByText('Your key has no admin rights').waitFor()
  await inspect(page)
})

it('who administers everything has the log checked', async () => {
  const page = await visit('/settings?tab=audit', server.key, { width: 390, height: 800 })
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  await page.getByRole('button', { name: 'Check the log' }).click()
  const dialog = page.getByRole('dialog', { name: 'Check the log' })
  await dialog.getByText(/^\d+ lines in \d+ chains?: no line was changed or taken out\.$/).waitFor()
  await dialog.getByText(/:\d+:[0-9a-f]{64}/).waitFor()
  await inspect(page)
})
