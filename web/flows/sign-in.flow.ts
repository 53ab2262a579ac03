import { expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { createKey, keyIds } from '../../test/support/keys.js'
import { freshPage, inspect, server, visit } from './browser.js'

it('a link opens after signing in, on every tab, until signing out', async () => {
  const page = await freshPage()
  await page.goto('/?from=a-link')
  await page.getByLabel('API key').fill('hk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'unknown or revoked' }).waitFor()
  await inspect(page)
  await page.getByLabel('API key').fill(server.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/?from=a-link')
  const tab = await page.context().newPage()
  await tab.goto('/')
  await tab.getByRole('link', { name: 'Projects' }).waitFor()
  // Nothing that a script could read holds the key.
  expect(await tab.evaluate(() => document.cookie + JSON.stringify(localStorage))).not.toContain(server.key)
  await tab.getByRole('button', { name: /^Signed in as/ }).click()
  await tab.getByRole('menuitem', { name: 'Sign out' }).click()
  await tab.waitForURL('**/signin*')
  await page.reload()
  await page.waitForURL('**/signin*')
})

it('each tenant sees its own projects, and nothing after its key ended', async () => {
  const [mine, theirs] = [`t${hex(4)}/one`, `t${hex(4)}/one`]
  for (const project of [mine, theirs])
    await server.api.post(v2(project, 'calls/complete'), { batch: [complete(project)] })
  const page = await visit('/', await createKey(server, mine.slice(0, 9), 'read'))
  await page.getByRole('link', { name: mine }).waitFor()
  expect(await page.getByRole('link', { name: theirs }).count()).toBe(0)
  await inspect(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to the projects').waitFor()
  await inspect(page)
  const [id = ''] = await keyIds(server, mine.slice(0, 9))
  await server.cli('keys', 'revoke', id)
  await page.waitForURL('**/signin*')
})
