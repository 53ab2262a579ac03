import { beforeAll, expect, it } from 'vitest'
import { hex } from '../../test/support/ids.js'
import { createKey } from '../../test/support/keys.js'
import { inspect, server, visit } from './browser.js'

const entity = `t${hex(4)}`
const project = `${entity}/one`
let admin: string

const call = (text: string) => {
  const times = { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z' }
  const ids = { project_id: project, id: hex(16), trace_id: hex(16), op_name: 'op' }
  return { ...ids, ...times, inputs: { text }, output: null, attributes: {}, summary: {} }
}

beforeAll(async () => {
  admin = await createKey(server, entity, 'admin')
  await server.api.ok(`/v2/${project}/calls/complete`, { batch: [call('ask <b>ann@example.com</b>')] })
})

it('a rule is tried on calls, kept, holds, is counted and taken back', async () => {
  const page = await visit('/settings?tab=masking', admin)
  await page.getByText('Nothing is masked here').waitFor()
  await page.getByLabel('Entity or project').fill(project)
  // Leaving the field closes the browser's list of names, which else may take the next click.
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'What they would do' }).waitFor()
  await page.getByText('Nothing is masked here').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Make a rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a rule' })
  await dialog.getByLabel('Name').fill('mails')
  await dialog.getByLabel('It becomes').selectOption('hash')
  await dialog.getByRole('textbox', { name: 'Label' }).fill('PERSON')
  await dialog.getByRole('button', { name: 'Try it on the newest calls' }).click()
  await dialog.getByText(/1 of the newest 1 call would be stored otherwise: mails 1/).waitFor()
  await dialog.getByText(/\[PERSON:[\da-f]{12}\]/).waitFor()
  await inspect(page)
  await dialog.getByLabel('What is masked').selectOption('pattern')
  await dialog.getByRole('textbox', { name: 'Pattern' }).fill('(')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.getByText(/The rule "mails" can't be used/).waitFor()
  await dialog.getByLabel('What is masked').selectOption('detector')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  const rules = page.getByRole('table', { name: 'Masking rules' })
  await rules.getByRole('row', { name: /mails.*E-mail addresses/ }).waitFor()

  const later = call('now bob@example.com')
  await server.api.ok(`/v2/${project}/calls/complete`, { batch: [later] })
  const { call: read } = await server.api.ok('/call/read', { project_id: project, id: later.id })
  expect(read).toMatchObject({ inputs: { text: expect.stringMatching(/^now \[PERSON:[\da-f]{12}\]$/) } })
  await page.reload()
  await page.getByLabel('Entity or project').fill(project)
  await rules.getByRole('row', { name: /mails.* 1 / }).waitFor()
  await inspect(page)
  await rules.getByRole('button', { name: 'Remove mails' }).click()
  await page.getByText('Nothing is masked here').waitFor()
})
