import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { main } from '../../test/support/command.js'
import { freePorts } from '../../test/support/ports.js'
import { descendants, signal } from '../../test/support/processes.js'
import { runPasted } from '../../test/support/program.js'
import { root } from '../../test/support/root.js'
import { Stub } from '../../test/support/stub.js'
import { until } from '../../test/support/until.js'
import { freshPage, inspect } from './browser.js'

/** Python gives the service a terminal, as `make run` has one. */
const TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))'
const data = mkdtempSync(join(tmpdir(), 'heddle-terminal-'))
/** Whose lines end in a conversation, and where their packages are. */
const CLIENTS = [
  { client: 'OpenAI', place: '.venv', op: 'openai.chat.completions.create' },
  { client: 'OpenAI, OpenTelemetry', place: '.venv/instrumentations', op: 'ChatCompletion' },
  { client: 'Python', place: '.venv', op: 'answer' },
  { client: 'curl', place: '.venv', op: 'chat' },
]
let provider: Stub
let terminal: ChildProcess
let printed = ''

beforeAll(async () => {
  provider = await Stub.start('tool-provider')
  const [port, metrics] = await freePorts(2)
  terminal = spawn(join(root, '.venv/bin/python'), ['-c', TERMINAL, process.execPath, main, 'up'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HEDDLE_PORT: String(port),
      HEDDLE_METRICS_PORT: String(metrics),
      HEDDLE_OTLP_GRPC_PORT: 'off',
      HEDDLE_CHAT: 'false',
      HEDDLE_DATA_DIR: data,
    },
  })
  terminal.stdout!.on('data', (chunk) => {
    printed += chunk
  })
  await until('the first screen', async () => printed.includes('Ctrl-C'), 120)
}, 130_000)
afterAll(async () => {
  await provider?.stop()
  const below = descendants(terminal.pid!)
  terminal.stdin!.write('\x03')
  const late = setTimeout(() => {
    for (const pid of [...below, terminal.pid!]) signal(pid, 'SIGKILL')
  }, 30_000)
  if (terminal.exitCode === null) await once(terminal, 'exit')
  clearTimeout(late)
  rmSync(data, { recursive: true, force: true })
})

/** What the page says to paste, by its title, under the tab of a client. */
async function linesOf(page: Page, client: string): Promise<Record<string, string>> {
  await page.getByRole('tab', { name: client, exact: true }).click()
  const steps = await page.locator('.first-steps section').all()
  const read = async (step: Locator) => [
    await step.getByRole('heading').textContent(),
    await step.locator('pre').textContent(),
  ]
  return Object.fromEntries(await Promise.all(steps.map(read))) as Record<string, string>
}

it('from the printed link to a conversation with its cost, by what the page shows alone', async () => {
  const [link = ''] = /http:\/\/[\w.:]+\/signin#\w+/.exec(printed) ?? []
  const page = await freshPage()
  await page.goto(link)
  const heading = page.getByRole('heading', { name: 'Send your first trace' })
  await heading.waitFor()
  // The code is not left in the history.
  expect(page.url()).not.toContain('#')
  await page.reload()
  await heading.waitFor()
  const other = await freshPage()
  await other.goto(link)
  await other.getByRole('alert').filter({ hasText: 'used before or has expired' }).waitFor()
  await inspect(other)

  await page.getByText('Waiting for a trace').waitFor()
  await page.getByRole('button', { name: 'Make a key for these lines' }).click()
  await page.getByText('hk_…').waitFor({ state: 'detached' })
  await inspect(page)
  const lines: Record<string, Record<string, string>> = {}
  for (const { client } of CLIENTS) lines[client] = await linesOf(page, client)
  expect(page.url()).not.toContain('hk_')

  for (const [i, { client, place, op }] of CLIENTS.entries()) {
    const { 'In the terminal': terminal, 'In a program': program } = lines[client]!
    const ofProvider = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-none' }
    await runPasted(terminal!, program, ofProvider, place)
    const row = page
      .getByRole('rowgroup')
      .getByRole('row')
      .filter({ has: page.getByText(op, { exact: true }) })
    // The first comes by itself, to a page that was empty.
    if (i > 0) await page.goBack()
    await row.click()
    for (const look of ['at once', 'after a reload']) {
      const messages = page.getByRole('region', { name: 'The call' }).getByRole('article')
      await messages.filter({ hasText: 'user' }).getByText('How is the weather in Paris?').waitFor()
      await messages.filter({ hasText: 'assistant' }).getByText('It is sunny in Paris.').waitFor()
      await page
        .getByRole('region', { name: 'The call' })
        .getByText(/^\$0\.0+\d+/)
        .waitFor()
      if (look === 'at once') await page.reload()
    }
    await inspect(page)
  }
})
