/** A real Chromium, pages of it that are signed in, and what must hold on each. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFailed } from 'vitest'
import type { Endpoint } from '../../test/support/endpoint.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Promise<Browser> | undefined
const contexts: BrowserContext[] = []
/** What the browser complained about, by page. */
const complaints = new WeakMap<Page, string[]>()

/** Ends the pages of a file. The browser serves the next file, and ends with the process that started it. */
export async function closePages(): Promise<void> {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
}

export interface Size {
  width: number
  height: number
}

/** A page of `server` in a browser of its own that knows nobody. */
export async function freshPageOf(
  server: Endpoint,
  size: Size = { width: 1280, height: 800 },
  options: BrowserContextOptions = {},
): Promise<Page> {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const context = await (await browser).newContext({ viewport: size, baseURL: server.url, ...options })
  contexts.push(context)
  const page = await context.newPage()
  sayOnFailure(page)
  page.setDefaultTimeout(60_000)
  const heard: string[] = []
  complaints.set(page, heard)
  page.on('pageerror', (error) => heard.push(error.message))
  page.on('console', (message) => {
    // An answer that is no success is the page's to show, and each test's to expect.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      heard.push(message.text())
  })
  page.on('dialog', (dialog) => {
    heard.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return page
}

/** Prints what the page shows when the test that opened it fails. */
function sayOnFailure(page: Page): void {
  // Pages are opened before all tests, too, where there is no test to listen to.
  if (expect.getState().currentTestName === undefined) return
  onTestFailed(async () => {
    const [text] = await page.locator('body').allInnerTexts()
    console.error(`${page.url()} showed:\n${text}`)
  })
}

/** The page at `path`, signed in. */
export async function visitOf(
  server: Endpoint,
  path: string,
  key = server.key,
  size?: Size,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await freshPageOf(server, size, options)
  const answer = await page.request.post('/session', { data: { key } })
  expect(answer.status()).toBe(200)
  await page.goto(path)
  return page
}

/** Nothing was refused or thrown, and no script of a stored text ran. */
export function expectQuiet(page: Page): void {
  expect(complaints.get(page)).toEqual([])
}

/** Holds a page to what every page must be: nothing was refused or thrown, and axe finds nothing serious. */
export async function inspect(page: Page): Promise<void> {
  expectQuiet(page)
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(AXE)
  const serious = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: (
          options: object,
        ) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
      }
    }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  })
  expect(serious).toEqual([])
}
