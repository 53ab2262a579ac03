import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { main } from '../../test/support/endpoint.js'
import { freePorts } from '../../test/support/ports.js'
import { descendants, signal } from '../../test/support/processes.js'
import { root } from '../../test/support/root.js'
import { until } from '../../test/support/until.js'
import { freshPage, inspect } from './browser.js'

/** Python gives the service a terminal, as `make run` has one. */
const TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))'
const data = mkdtempSync(join(tmpdir(), 'heddle-terminal-'))
let terminal: ChildProcess
let printed = ''

beforeAll(async () => {
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
  const below = descendants(terminal.pid!)
  terminal.stdin!.write('\x03')
  const late = setTimeout(() => {
    for (const pid of [...below, terminal.pid!]) signal(pid, 'SIGKILL')
  }, 30_000)
  if (terminal.exitCode === null) await once(terminal, 'exit')
  clearTimeout(late)
  rmSync(data, { recursive: true, force: true })
})

it('the link that the service prints to a terminal signs in, once', async () => {
  const [link = ''] = /http:\/\/[\w.:]+\/signin#\w+/.exec(printed) ?? []
  const page = await freshPage()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Send your first trace' }).waitFor()
  // The code is not left in the history.
  expect(page.url()).not.toContain('#')
  await page.reload()
  await page.getByRole('heading', { name: 'Send your first trace' }).waitFor()
  await inspect(page)
  const other = await freshPage()
  await other.goto(link)
  await other.getByRole('alert').filter({ hasText: 'used before or has expired' }).waitFor()
  await inspect(other)
})
