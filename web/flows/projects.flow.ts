/** More projects than a page asks for at once, on a server of their own. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, halves } from '../../test/support/calls.js'
import { Server } from '../../test/support/server.js'
import { inspect, visitOf } from './chromium.js'

const PROJECTS = 1010
const nameOf = (n: number) => `many/p${String(n).padStart(4, '0')}`
let server: Server
beforeAll(async () => {
  server = await Server.start()
  const begun_at = new Date().toISOString()
  const batch = Array.from({ length: PROJECTS }, (_, n) => {
    const { start } = halves(complete(nameOf(n), { started_at: begun_at }))
    return { mode: 'start', req: { start } }
  })
  await server.api.ok('/call/upsert_batch', { batch })
})
afterAll(() => server?.dispose())

it('a project beyond the first thousand is found wherever one is chosen', async () => {
  const page = await visitOf(server, '/')
  await page.getByRole('button', { name: '950 more' }).waitFor()
  await page.getByText('There are others; type a part of a name').waitFor()
  const find = page.getByLabel('Find a project')
  await find.fill('P100')
  await page
    .getByRole('row')
    .filter({ hasText: nameOf(1009) })
    .waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(11)
  // What happened there is shown, too.
  await page
    .getByRole('row')
    .filter({ hasText: `${nameOf(1009)}1` })
    .waitFor()
  await inspect(page)
  await find.fill('nowhere')
  await expect.poll(() => page.getByRole('row').count()).toBe(1)

  await page.keyboard.press('Control+k')
  await page.getByLabel('Where to, or what to do').fill('p1008')
  await page.getByRole('option', { name: nameOf(1008) }).click()
  await page.getByRole('button', { name: 'choose another' }).click()
  await find.fill('p1007')
  await page.getByRole('link', { name: nameOf(1007) }).click()
  await page.waitForURL(`**/${nameOf(1007)}/**`)
})
