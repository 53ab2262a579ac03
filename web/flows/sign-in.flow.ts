import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { createKey, keyIds } from '../../test/support/keys.js'
import { SignInSetup } from '../../test/support/sign-in-setup.js'
import { until } from '../../test/support/until.js'
import { freshPage, inspect, server, visit } from './browser.js'
import { freshPageOf } from './chromium.js'

it('a link opens after signing in, on every tab, until signing out', async () => {
  const page = await freshPage()
  await page.goto('/settings?tab=keys')
  await page.getByLabel('API key').fill('hk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'unknown, expired or revoked' }).waitFor()
  await inspect(page)
  await page.getByLabel('API key').fill(server.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/settings?tab=keys')
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
  await expect.poll(() => page.getByRole('link', { name: theirs }).count()).toBe(0)
  await inspect(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to the projects').waitFor()
  await inspect(page)
  const [id = ''] = await keyIds(server, mine.slice(0, 9))
  await server.cli('keys', 'revoke', id)
  await page.waitForURL('**/signin*')
})

describe('without a key', () => {
  const entity = `t${hex(4)}`
  let setup: SignInSetup

  beforeAll(async () => {
    const role = { scope: entity, role: 'member' }
    // For a browser, localhost is another site.
    setup = await SignInSetup.start(
      {
        providers: [{ name: 'house', title: 'House', default_role: role }],
        email: { domains: ['mail.example.com'], default_role: role },
      },
      'localhost',
    )
    await setup.account('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' })
  })
  afterAll(() => setup?.dispose())

  it('one signs in by a provider of another site, and out of it', async () => {
    const page = await freshPageOf(setup.server)
    await page.goto('/settings?tab=keys')
    await page.getByRole('link', { name: 'Sign in with House' }).waitFor()
    await inspect(page)
    await page.getByRole('link', { name: 'Sign in with House' }).click()
    await page.getByLabel('Name').fill('nobody')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('alert').filter({ hasText: 'did not let you in' }).waitFor()
    await inspect(page)
    await page.goto('/settings?tab=keys')
    await page.getByRole('link', { name: 'Sign in with House' }).click()
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.waitForURL('**/settings?tab=keys')
    await page.getByRole('button', { name: 'Signed in as ada@example.com' }).click()
    const [session] = (await page.context().cookies()).filter(({ name }) => name === 'heddle_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/session/end*')
  })

  it('a mail brings a link with a button; one sees where one is signed in and leaves all of it', async () => {
    const email = `dee-${hex(4)}@mail.example.com`
    const here = await freshPageOf(setup.server)
    await here.goto('/settings?tab=sessions')
    await here.getByLabel('E-mail address').fill(email)
    await here.getByRole('button', { name: 'Send me a link' }).click()
    await here.getByRole('status').filter({ hasText: 'on its way' }).waitFor()
    await inspect(here)
    const enter = async (page: typeof here) => {
      await page.goto(`/signin#link=${setup.linkTo(email)}`)
      await page.getByText('You opened the link of a mail').waitFor()
      await inspect(page)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await until('the mail', () => setup.linkTo(email) !== undefined)
    const used = setup.linkTo(email)
    await enter(here)
    await here.waitForURL('**/settings?tab=sessions')
    const there = await freshPageOf(setup.server)
    await enter(there)
    await there.getByRole('alert').filter({ hasText: 'used before or has expired' }).waitFor()
    await there.getByLabel('E-mail address').fill(email)
    await there.getByRole('button', { name: 'Send me a link' }).click()
    await until('the next mail', () => setup.linkTo(email) !== used)
    await enter(there)
    await there.getByRole('button', { name: `Signed in as ${email}` }).waitFor()
    await here.reload()
    await here.getByRole('button', { name: 'End it' }).waitFor()
    await inspect(here)
    await here.getByRole('button', { name: 'Sign out everywhere' }).click()
    await here.waitForURL('**/signin*')
    await there.reload()
    await there.waitForURL('**/signin*')
  })
})
