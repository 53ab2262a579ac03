/** What components do by themselves, in Chromium: keys, focus, and what axe asks, in both themes and on a phone. */
import react from '@vitejs/plugin-react'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshPage, inspect } from './browser.js'

const AT = '/components-alone'
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
let [script, style] = ['', '']

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: { write: false, rolldownOptions: { input: `${import.meta.dirname}/components.tsx` } },
  })
  if (!('output' in built)) throw new Error('one build was asked for')
  for (const file of built.output) {
    if (file.type === 'chunk') script += file.code
    else if (file.fileName.endsWith('.css')) style += file.source
  }
  page = await freshPage()
})

/** One page for all: what they keep, one test asks. */
let page: Page

async function open({ size = DESKTOP, theme = 'light' } = {}): Promise<void> {
  const body = `<!doctype html><html lang="en" data-theme="${theme}"><title>Components</title><style>${style}</style>
    <div id="root"></div><script type="module">${script.replaceAll('</script', '<\\/script')}</script></html>`
  await page.unrouteAll()
  await page.route(`**${AT}`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }))
  await page.setViewportSize(size)
  await page.goto(AT)
  await page.getByRole('heading', { name: 'Components' }).waitFor()
}

const said = () => page.locator('output').textContent()
const focused = () =>
  page.evaluate(() => (document.activeElement === document.body ? '' : document.activeElement?.textContent))
/** The focus comes a moment after what moved it. */
const expectFocused = (text: string) => expect.poll(focused).toBe(text)

it.each([
  ['light', DESKTOP],
  ['dark', DESKTOP],
  ['light', PHONE],
] as const)('nothing serious is found by axe: %s, %j', async (theme, size) => {
  await open({ size, theme })
  await inspect(page)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await inspect(page)
})

describe('by keys alone', () => {
  it('tabs are one stop, and arrows go round', async () => {
    await open()
    await page.keyboard.press('Tab')
    await expectFocused('First')
    await page.keyboard.press('ArrowLeft')
    await expectFocused('Third')
    expect(await said()).toBe('tab three')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expectFocused('Second')
    expect(await said()).toBe('tab two')
    await page.keyboard.press('Tab')
    await expectFocused('Actions')
  })

  it('a menu opens, chooses, and gives the focus back', async () => {
    await open()
    await page.getByRole('button', { name: 'Actions' }).focus()
    await page.keyboard.press('Enter')
    // A key counts from where the focus is, which comes a moment after the menu.
    await page.locator('[role=menuitem]:focus', { hasText: 'Rename' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.locator('[role=menuitem]:focus', { hasText: 'Delete' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expectFocused('Actions')
    expect(await said()).toBe('deleted')
  })

  it.each([
    ['More', 'Details'],
    ['Open', 'A question'],
  ])('%s opens what has a name and the focus; Escape gives it back', async (button, name) => {
    await open()
    await page.getByRole('button', { name: button, exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await expectFocused(button)
  })

  it('the bar between panes moves within its ends, and is where it was left after a reload', async () => {
    await open()
    const bar = page.getByRole('separator', { name: 'Width of the list' })
    await bar.press('ArrowLeft')
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('48')
    await bar.press('Home')
    await bar.press('ArrowLeft')
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('15')
    await page.reload()
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('15')
  })
})

it('a field that needs a choice holds up its form and says so', async () => {
  await open()
  const isValid = (label: string) =>
    page.getByLabel(label).evaluate((field) => (field as HTMLInputElement).validity.valid)
  expect([await isValid('Color'), await isValid('Model')]).toEqual([false, false])
  await page.getByLabel('Color').selectOption('Blue')
  await page.getByLabel('Model').fill('tiny')
  expect([await isValid('Color'), await isValid('Model')]).toEqual([true, true])
})

it('a failure is announced, and can be tried again', async () => {
  await open()
  const alert = page.getByRole('alert')
  expect(await alert.textContent()).toContain('It broke.')
  await alert.getByRole('button').click()
  expect(await said()).toBe('tried again')
})

it('a table has a name, and headers of columns', async () => {
  await open()
  await page.getByRole('searchbox', { name: 'Search names' }).fill('gr')
  const table = page.getByRole('table', { name: 'Ops' })
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Op', 'Calls'])
  expect(await table.getByRole('row').count()).toBe(2)
})
