import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const dashboards = `/${project}/weave/dashboards`
const script = '<img src=x onerror=alert(1)>'
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

beforeAll(async () => {
  const ref = (op: string) => `weave:///${project}/op/${op}:v1`
  const call = (minutes: number, more: object) => ({
    ...complete(project),
    started_at: ago(minutes),
    ended_at: ago(minutes - 0.05),
    ...more,
  })
  const rated = { id: uuid7(), op_name: ref('ask'), summary: { usage: { 'gpt-4o': { input_tokens: 1000 } } } }
  const batch = [
    call(30, rated),
    call(40, { op_name: ref('ask'), summary: { usage: { [script]: { input_tokens: 500 } } } }),
    call(50, { op_name: 'lookup', exception: 'KeyError' }),
  ]
  await server.api.ok(v2(project, 'calls/complete'), { batch })
  await server.api.ok('/feedback/create', {
    project_id: project,
    weave_ref: `weave:///${project}/call/${rated.id}`,
    feedback_type: 'quality',
    payload: { output: { score: 0.75 } },
  })
})

const chart = (page: Page, name: string) =>
  page.getByRole('figure', { name: `${name} over time`, exact: true })

it('the overview shows calls, errors, latency, tokens and cost, by model, op and user', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Dashboards' }).click()
  await chart(page, 'Tokens by model').getByText(script).waitFor()
  await chart(page, 'Calls').getByText('failed').waitFor()
  await chart(page, 'Calls by op').getByText('lookup').waitFor()
  await chart(page, 'Latency').getByText('3.00 s').first().waitFor()
  await inspect(page)
  await page.getByLabel('Time', { exact: true }).selectOption('15m')
  await page.getByText('Nothing in the last 15 minutes').first().waitFor()
  await page.goBack()
  await chart(page, 'Calls').waitFor()
})

it('panels are added, changed, moved and removed, and saved as an object', async () => {
  const page = await visit(dashboards)
  await chart(page, 'Errors').waitFor()
  await page.keyboard.press('n')
  const form = page.getByRole('dialog', { name: 'Panel' })
  await form.getByLabel('Show').selectOption('feedback')
  await form.getByRole('combobox', { name: 'Feedback' }).selectOption('quality')
  await form.getByLabel('Value').selectOption('output.score')
  await form.getByRole('figure').getByText('avg').waitFor()
  await inspect(page)
  await form.getByRole('button', { name: 'Show it' }).click()
  await chart(page, 'quality output.score').getByText('0.75').first().waitFor()
  // What is not saved is in the address.
  await page.reload()
  await chart(page, 'quality output.score').waitFor()
  const change = async (panel: string, what: string) => {
    await page.getByRole('button', { name: `Change ${panel}`, exact: true }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await change('Errors', 'Remove')
  await chart(page, 'Errors').waitFor({ state: 'detached' })
  await change('Calls', 'Edit')
  await form.getByLabel('Only of the op').fill('ask')
  await form.getByRole('button', { name: 'Show it' }).click()
  await chart(page, 'Calls of ask').getByText('2', { exact: true }).waitFor()
  await change('Calls of ask', 'Move after the next')
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByLabel('Name').fill('Mine & yours')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(`**${dashboards}/Mine-yours`)
  await page.reload()
  await chart(page, 'quality output.score').waitFor()
  const titles = await page.getByRole('heading', { level: 2 }).allInnerTexts()
  expect(titles.slice(0, 2)).toEqual(['Latency', 'Calls of ask'])
  await inspect(page)
  await page.getByLabel('Dashboard', { exact: true }).selectOption('Overview')
  await chart(page, 'Errors').waitFor()
  await page.goBack()
  await chart(page, 'Calls of ask').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('button', { name: 'Delete the dashboard' }).click()
  await page.waitForURL(`**${dashboards}`)
  await page.goto(`${dashboards}/Mine-yours`)
  await page.getByText('There is no dashboard of this name').waitFor()
})

it('fits a phone, the dark and paper, and tells its keys', async () => {
  const page = await visit(dashboards, undefined, { width: 390, height: 800 })
  await chart(page, 'Calls').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await inspect(page)
  // As when the system turns dark in the evening.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Light' }).waitFor()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Dark' }).click()
  await chart(page, 'Calls').waitFor()
  await inspect(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Add a panel').waitFor()
  await page.keyboard.press('Escape')
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add a panel' }).waitFor({ state: 'hidden' })
  // Nothing is below an edge that paper can't scroll.
  const panels = page.getByRole('region', { name: 'Panels' })
  const hidden = () => panels.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  await expect.poll(hidden).toBe(0)
})
