import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { createKey } from '../../test/support/keys.js'
import { freshPage, inspect, server, visit } from './browser.js'

const project = `flow${hex(3)}/one`
const colleague = `user-${project.replace('/', '-')}`
const [root, child] = [uuid7(), uuid7()]
let reader: string

beforeAll(async () => {
  const now = new Date().toISOString()
  const base = { ...complete(project), trace_id: root, started_at: now, ended_at: now }
  const batch = [
    { ...base, id: root, op_name: 'answer', inputs: { question: 'Where is it?' }, output: 'In Rome' },
    { ...base, id: child, op_name: 'look up', parent_id: root, output: 'Rome', attributes: { kind: 'tool' } },
  ]
  await server.api.ok(v2(project, 'calls/complete'), { batch })
  reader = await createKey(server, project, 'read')
})

const share = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByLabel('Note, for you').fill('for Cleo')
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = (await dialog.getByText(/\/share\//).textContent()) ?? ''
  await inspect(page)
  return new URL(link).pathname
}

it('a trace is shared, opened by somebody without a key on a phone, and no more once the link is revoked', async () => {
  const page = await visit(`/${project}/r/call/${root}`)
  const path = await share(page)

  const visitor = await freshPage({ width: 390, height: 800 })
  await visitor.goto(path)
  await visitor.getByRole('heading', { name: 'answer', level: 1 }).waitFor()
  await visitor.getByText('Where is it?').first().waitFor()
  expect(await visitor.title()).toBe('answer · Heddle')
  // What the call says that it is, not its name.
  await visitor
    .getByRole('treeitem', { name: /look up/ })
    .getByRole('img', { name: 'tool' })
    .waitFor()
  await visitor.getByRole('treeitem', { name: /look up/ }).click()
  await visitor.getByRole('heading', { name: 'look up', level: 2 }).waitFor()
  expect(await visitor.getByRole('navigation').count()).toBe(0)
  expect(await visitor.getByRole('button', { name: 'Share…' }).count()).toBe(0)
  const wide = await visitor.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(wide).toBe(false)
  await inspect(visitor)
  // It opens nothing else.
  await visitor.goto(`/${project}/r/call/${root}`)
  await visitor.getByRole('button', { name: 'Sign in' }).waitFor()

  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByText('revoked').waitFor()
  await visitor.goto(path)
  await visitor.getByRole('heading', { name: 'There is nothing at this link' }).waitFor()
  await inspect(visitor)
})

it('a colleague is mentioned in a note, and sees it', async () => {
  const page = await visit(`/${project}/r/call/${root}`)
  await page.getByRole('tab', { name: 'Feedback', exact: true }).click()
  const field = page.getByLabel('Note')
  await field.pressSequentially(`Look, @${colleague.slice(0, 9)}`)
  await page.getByRole('button', { name: colleague }).click()
  await expect.poll(() => field.inputValue()).toBe(`Look, @${colleague} `)
  await inspect(page)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(`Look, @${colleague}`).waitFor()

  const other = await visit(`/${project}/weave/traces`, reader)
  await other.getByRole('button', { name: /^Signed in as/ }).click()
  await other.getByRole('menuitem', { name: 'Mentions (1 new)' }).click()
  const row = other.getByRole('row', { name: /Look, @/ })
  await row.getByText('new', { exact: true }).waitFor()
  await inspect(other)
  await row.getByRole('link').click()
  await other.getByRole('heading', { name: 'answer', level: 1 }).waitFor()
  await other.getByRole('button', { name: /^Signed in as/ }).click()
  await other.getByRole('menuitem', { name: 'Mentions', exact: true }).waitFor()
})
