import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLog } from '../../platform/telemetry/log.js'
import { canSetUp, setUpModelServer } from './model-server-setup.js'

let root = ''
const log = openLog({ level: 'silent', format: 'text', role: 'test' })
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-setup-'))
  mkdirSync(join(root, 'scripts'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** The folder of a model server, beside a script that does this. */
function folderWith(script: string): string {
  writeFileSync(join(root, 'scripts/model-server.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return join(root, 'model-server')
}

it('is ready when the script has ended well', async () => {
  const folder = folderWith('echo Installing')
  expect(canSetUp(folder)).toBe(true)
  expect(await setUpModelServer(folder, log).ready).toBe(true)
})

it('is not ready when the script fails, or is not there', async () => {
  expect(await setUpModelServer(folderWith('echo no python >&2; exit 1'), log).ready).toBe(false)
  expect(canSetUp(join(root, 'elsewhere/model-server'))).toBe(false)
  expect(await setUpModelServer(join(root, 'elsewhere/model-server'), log).ready).toBe(false)
})

it('can be stopped, with everything that the script started', async () => {
  const setup = setUpModelServer(folderWith('sleep 600 & wait'), log)
  setup.stop()
  expect(await setup.ready).toBe(false)
})
