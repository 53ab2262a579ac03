import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { createKey } from '../../test/support/keys.js'
import { freshPage, inspect, server, visit } from './browser.js'
import { signIn } from './chromium.js'

const entity = `t${hex(4)}`
const project = `${entity}/one`
const other = `t${hex(4)}`
let admin: string

beforeAll(async () => {
  for (const one of [project, `${other}/one`])
    await server.api.ok(v2(one, 'calls/complete'), { batch: [complete(one)] })
  admin = await createKey(server, entity, 'admin')
  await createKey(server, other, 'admin')
})

it('a key is made, shown once, opens the pages and is revoked', async () => {
  const page = await visit('/', admin)
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('1 key', { exact: true }).waitFor()
  await expect.poll(() => page.getByText(other).count()).toBe(0)
  await inspect(page)
  await page.getByRole('button', { name: 'Make a key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a key' })
  await dialog.getByLabel('User').fill('robot')
  await dialog.getByLabel('Label').fill('<img src=x onerror=alert(1)>')
  await dialog.getByLabel('Entity or project').fill(`${other}/one`)
  await dialog.getByRole('button', { name: 'Make it' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'no admin access' }).waitFor()
  await dialog.getByLabel('Entity or project').fill(project)
  await inspect(page)
  await dialog.getByRole('button', { name: 'Make it' }).click()
  const made = (await dialog.getByText(/^hk_/).textContent()) ?? ''
  await inspect(page)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await page
    .getByRole('row', { name: /^robot/ })
    .getByText(`${project}:write`)
    .waitFor()
  await page.reload()
  await page.getByRole('row', { name: /^robot/ }).waitFor()
  expect(await page.content()).not.toContain(made)
  const robot = await visit('/', made)
  await robot.getByRole('link', { name: project }).waitFor()
  await robot.goto('/settings')
  await robot.getByText('Your key has no admin rights').waitFor()
  await inspect(robot)
  await robot.goto(`/${project}/weave/settings`)
  await robot.getByLabel('Days that calls are kept').waitFor()
  await page.getByRole('button', { name: /^Revoke the key .* of robot$/ }).click()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByText('1 key', { exact: true }).waitFor()
  const signIn = { method: 'POST', body: JSON.stringify({ key: made }) }
  const headers = { 'content-type': 'application/json' }
  await expect
    .poll(async () => (await fetch(`${server.url}/session`, { ...signIn, headers })).status, {
      timeout: 60_000,
    })
    .toBe(401)
})

it('secrets are named, and set on the machine', async () => {
  const page = await visit('/settings?tab=secrets', admin)
  await page.getByText('No secret is set').waitFor()
  await page.getByText('heddle secrets set').waitFor()
  await inspect(page)
})

it('a project keeps its calls for some days, and has prices of its own', async () => {
  const page = await visit(`/${project}/weave`, admin, { width: 390, height: 800 })
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('all OTLP traces are stored').waitFor()
  await page.getByLabel('Days that calls are kept').fill('30')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  await page.reload()
  await expect
    .poll(() => page.getByLabel('Days that calls are kept').inputValue(), { timeout: 30_000 })
    .toBe('30')
  await page.getByText(/the usual price of 20\d\d-\d\d-\d\d, if they are among its \d,\d{3} models/).waitFor()
  await page.getByRole('textbox', { name: 'Model' }).fill('my-model')
  await page.getByLabel('Price of a million input tokens').fill('2.5')
  await page.getByLabel('Price of a million output tokens').fill('10')
  await page.getByRole('button', { name: 'Add the price' }).click()
  await page.getByRole('row', { name: /^my-model \$2.50 \$10.00/ }).waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Delete the price of my-model' }).click()
  await page.getByRole('row', { name: /^my-model/ }).waitFor({ state: 'detached' })
})

it('who has no right over a project is told so', async () => {
  const page = await visit('/', admin)
  for (const screen of ['agents', 'agents/conversations', 'dashboards', 'leaderboards', 'settings']) {
    await page.goto(`/${other}/one/weave/${screen}`)
    await page
      .getByRole('alert')
      .filter({ hasText: `no read access to ${other}/one` })
      .first()
      .waitFor()
  }
  await inspect(page)
})

it('one sees where one is signed in, and signs out everywhere', async () => {
  const key = await createKey(server, entity, 'read')
  const [here, there] = [await visit('/settings?tab=sessions', key), await freshPage()]
  await signIn(there, key)
  await there.goto(`/${project}/weave/settings`)
  await here.reload()
  await here.getByText('this one', { exact: true }).waitFor()
  await expect.poll(() => here.getByRole('button', { name: 'End it' }).count()).toBe(1)
  await inspect(here)
  await here.getByRole('button', { name: 'Sign out everywhere' }).click()
  await here.waitForURL('**/signin*')
  await there.reload()
  await there.waitForURL('**/signin?*')
})
