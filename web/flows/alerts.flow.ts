import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { Receiver } from '../../test/support/receiver.js'
import { inspect, server, visit } from './browser.js'

const project = `flow-${hex(4)}/refunds`
const alerts = `/${project}/weave/alerts`
let receiver: Receiver

beforeAll(async () => {
  receiver = await Receiver.start()
  const now = new Date().toISOString()
  const batch = Array.from({ length: 12 }, (_, i) => ({
    ...complete(project),
    ...{ op_name: 'answer', started_at: now, ended_at: now, ...(i < 9 && { exception: 'KeyError' }) },
  }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})
afterAll(() => receiver?.stop())

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const choose = async (page: Page, alert: string, what: string | RegExp) => {
  await page.getByRole('button', { name: `Change ${alert}` }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

it('a channel shows its secret once and is tested, an alert fires by it, is muted and deleted', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('heading', { name: 'No alert yet' }).waitFor()
  await inspect(page)

  await tab(page, 'Channels')
  await page.getByRole('button', { name: 'New channel' }).click()
  const channel = page.getByRole('dialog', { name: 'New channel' })
  await channel.getByLabel('Name').fill('hook')
  await channel.getByLabel('Address').fill('http://10.0.0.1/')
  await channel.getByRole('button', { name: 'Save the channel' }).click()
  await channel.getByRole('alert').waitFor()
  await channel.getByLabel('Address').fill(`${receiver.url}/hook`)
  await inspect(page)
  await channel.getByRole('button', { name: 'Save the channel' }).click()
  const secret = (await channel.getByText(/^whsec_/).textContent()) ?? ''
  await inspect(page)
  await channel.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Send a test by hook' }).click()
  await page.getByRole('row', { name: /^hook/ }).getByText('Delivered').waitFor()
  expect(receiver.at('/hook')).toMatchObject([{ type: 'test' }])
  expect(await page.content()).not.toContain(secret)
  await inspect(page)

  await tab(page, 'Alerts')
  await page.getByRole('button', { name: 'New alert' }).click()
  const form = page.getByRole('dialog', { name: 'New alert' })
  await form.getByRole('button', { name: 'Cost' }).click()
  await form.getByText(/^It would have fired in 0 of \d+ windows of 1 day/).waitFor()
  await form.getByRole('button', { name: 'Error rate' }).click()
  await form.getByText('It would have fired in 1 of 60 windows of 15 minutes.').waitFor()
  const chart = form.getByRole('figure', { name: 'What it would have judged' })
  await chart.getByText('75 %').waitFor()
  await form.getByLabel('Warn at').fill('0.01')
  await chart.getByText('warning', { exact: true }).waitFor()
  await form.getByLabel('Name').fill('errors')
  await form.getByLabel('What it is about').fill('Look at the traces.')
  await form.getByLabel('hook').check()
  await form.getByRole('button', { name: 'Add quiet hours' }).click()
  await form.getByLabel('Time zone').fill('Nowhere')
  await inspect(page)
  await form.getByRole('button', { name: 'Make the alert' }).click()
  await form.getByRole('alert').filter({ hasText: '"Nowhere" is not a time zone' }).waitFor()
  await form.getByRole('button', { name: 'Remove quiet hours 1' }).click()
  await form.getByRole('button', { name: 'Make the alert' }).click()
  const row = page.getByRole('row', { name: /^errors/ })
  await row.getByText('75 % > 5 %').waitFor()
  await row.getByText('alert', { exact: true }).waitFor()
  await inspect(page)

  await choose(page, 'errors', 'History')
  const event = page.getByRole('row', { name: /errors/ })
  await event.getByText('delivered').waitFor()
  await event.getByText('75 %, threshold 5 %').waitFor()
  await inspect(page)
  expect(receiver.at<{ data: object }>('/hook').at(-1)!.data).toMatchObject({
    ...{ alert: 'errors', state: 'alert', value: 0.75, url: `${server.url}${alerts}` },
  })

  await tab(page, 'Alerts')
  await choose(page, 'errors', 'Mute for 1 hour')
  await row.getByText('muted until').waitFor()
  await page.getByRole('button', { name: 'Change errors' }).click()
  await inspect(page)
  await page.getByRole('menuitem', { name: 'Unmute' }).click()
  await row.getByText('muted until').waitFor({ state: 'detached' })
  await choose(page, 'errors', 'Turn off')
  await row.getByText('off', { exact: true }).waitFor()
  await choose(page, 'errors', 'Delete')
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('heading', { name: 'No alert yet' }).waitFor()

  await tab(page, 'Channels')
  await page.getByRole('button', { name: 'Delete hook' }).click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('heading', { name: 'No channel yet' }).waitFor()
})

it('an alert of groups names those that are not ok, and is changed as it was made', async () => {
  const page = await visit(alerts)
  await page.getByRole('button', { name: 'New alert' }).click()
  const form = page.getByRole('dialog', { name: 'New alert' })
  await form.getByLabel('Name').fill('by-op')
  await form.getByLabel('Only these ops').fill('answer, other')
  await form.getByLabel('Separately for each').selectOption('op')
  await form.getByRole('figure').getByText('answer').waitFor()
  await form.getByRole('button', { name: 'Add quiet hours' }).click()
  const hours = page.getByRole('group', { name: 'Quiet hours 1' })
  await hours.getByLabel('From').fill('23:30')
  await hours.getByLabel('Time zone').fill('Europe/Berlin')
  await hours.getByLabel('Sun').uncheck()
  await form.getByRole('button', { name: 'Make the alert' }).click()
  const row = page.getByRole('row', { name: /^by-op/ })
  await row.getByText('alert: answer 75 %').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'by-op', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Alert' })
  await expect.poll(() => editor.getByLabel('Only these ops').inputValue()).toBe('answer, other')
  await expect.poll(() => hours.getByLabel('From').inputValue()).toBe('23:30')
  await expect.poll(() => hours.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
  expect(await hours.getByLabel('Sun').isChecked()).toBe(false)
  await editor.getByLabel('Watch').selectOption('The result of SQL')
  await editor.getByLabel('Statement').fill('SELECT 1 AS none')
  await editor.getByRole('alert').filter({ hasText: 'a column called value' }).waitFor()
  await editor.getByLabel('Statement').fill('SELECT 7 AS value')
  await editor.getByText('It would have fired in 12 of 12 windows').waitFor()
  await editor.getByRole('button', { name: 'Save the alert' }).click()
  await row.getByText('7 > 0.05').waitFor()
})

it('presets have a preview each, on a phone and in the dark', async () => {
  const page = await visit(alerts, undefined, { width: 390, height: 800 })
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.getByRole('row', { name: /^by-op/ }).waitFor()
  await inspect(page)
  await page.keyboard.press('n')
  const form = page.getByRole('dialog', { name: 'New alert' })
  for (const [preset, windows] of [
    ['p95 latency', '60 windows of 15 minutes'],
    ['Calls', '60 windows of 1 hour'],
    ['Failed training jobs (SQL)', '12 windows of 1 hour'],
  ] as const) {
    await form.getByRole('button', { name: preset }).click()
    await form.getByText(new RegExp(`^It would have fired in \\d+ of ${windows}`)).waitFor()
  }
  await form.getByRole('button', { name: 'Feedback score' }).click()
  await form.getByText('Say what is watched').waitFor()
  await form.getByLabel('Type of feedback').fill('mood')
  await form.getByText(/^It would have fired in 0 of 31 windows of 1 day/).waitFor()
  await inspect(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
