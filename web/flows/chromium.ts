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
import { expect, onTestFailed, onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'
import type { Endpoint } from '../../test/support/endpoint.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Promise<Browser> | undefined
const contexts: BrowserContext[] = []
/** What the browser complained about, by page. */
const complaints = new WeakMap<Page, string[]>()
/**
 * Pages of this file's tests that passed, by what they were opened with. They have the application's files, compiled: a
 * visit costs a quarter of what it costs in a new context.
 */
const left = new Map<string, Page[]>()

/** Ends the pages of a file. The browser serves the next file, and ends with the process that started it. */
export async function closePages(): Promise<void> {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
  left.clear()
}

export interface Size {
  width: number
  height: number
}

const DESKTOP: Size = { width: 1280, height: 800 }

/** A page of `server` in a browser of its own that knows nobody, and that no other test gets. */
export async function freshPageOf(
  server: Endpoint,
  size = DESKTOP,
  options: BrowserContextOptions = {},
): Promise<Page> {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const context = await (await browser).newContext({
    viewport: size,
    baseURL: server.url,
    // Frames of what turns take the processor all the time that a test waits.
    reducedMotion: 'reduce',
    ...options,
  })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  sayOnFailure(page)
  listen(page)
  return page
}

function listen(page: Page): void {
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
}

/** A page that another test left, as if nobody had used it. */
async function leftPage(like: string, size: Size): Promise<Page | undefined> {
  const page = left.get(like)?.pop()
  if (page === undefined) return undefined
  await page.setViewportSize(size)
  sayOnFailure(page)
  listen(page)
  return page
}

/** Leaves a page to other tests, without anything of this one. */
async function leave(page: Page, like: string): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  for (const event of ['pageerror', 'console', 'dialog']) page.removeAllListeners(event)
  await page.goto('about:blank')
  await Promise.all([
    page.context().clearCookies(),
    page.unrouteAll(),
    page.emulateMedia({ media: null, colorScheme: null }),
  ])
  left.set(like, [...(left.get(like) ?? []), page])
}

/** Prints what the page shows when the test that opened it fails. */
function sayOnFailure(page: Page): void {
  // Pages are opened before all tests, too, where there is no test to listen to.
  if (getCurrentTest() === undefined) return
  onTestFailed(async () => {
    const [text] = await page.locator('body').allInnerTexts()
    console.error(`${page.url()} showed:\n${text}`)
  })
}

/** The page at `path`, signed in. When the test has passed, others may get it: its clock, if set, and its files stay. */
export async function visitOf(
  server: Endpoint,
  path: string,
  key = server.key,
  size = DESKTOP,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const like = JSON.stringify([server.url, options])
  const page = (await leftPage(like, size)) ?? (await freshPageOf(server, size, options))
  if (getCurrentTest() !== undefined)
    onTestFinished(async ({ task }) => {
      const isAlone = !page.isClosed() && page.context().pages().length === 1
      if (task.result?.state === 'pass' && isAlone) await leave(page, like)
    })
  await signIn(page, key)
  await page.goto(path)
  return page
}

export async function signIn(page: Page, key: string): Promise<void> {
  const answer = await page.request.post('/session', { data: { key } })
  expect(answer.status()).toBe(200)
}

/** Nothing was refused or thrown, and no script of a stored text ran. */
export function expectQuiet(page: Page): void {
  expect(complaints.get(page)).toEqual([])
}

/** Holds a page to what every page must be: nothing was refused or thrown, and axe finds nothing serious. */
export async function inspect(page: Page): Promise<void> {
  expectQuiet(page)
  // Evaluated by the debugger, which the page's policy does not bind.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const serious = await page.evaluate(async () => {
    interface Rule {
      id: string
      impact: string
    }
    interface Axe {
      _audit: { rules: Rule[] }
      run: (options: object) => Promise<{ violations: (Rule & { nodes: { html: string }[] })[] }>
    }
    const { axe } = window as unknown as { axe: Axe }
    const isSerious = ({ impact }: Rule) => ['serious', 'critical'].includes(impact)
    // Violations have the impact of their rule: others are not looked for, which halves the work.
    const others = axe._audit.rules.filter((rule) => !isSerious(rule))
    const rules = Object.fromEntries(others.map(({ id }) => [id, { enabled: false }]))
    const { violations } = await axe.run({ resultTypes: ['violations'], rules })
    return violations
      .filter(isSerious)
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  })
  expect(serious).toEqual([])
}
