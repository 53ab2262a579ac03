/** A disk that can't sync a file of a part, while the file system goes on: the rows are not at fault. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { LoggedEngine, newFolder } from './testing/logged-engine.js'

const folder = newFolder()
const once = join(folder, 'once')
const library = join(folder, 'failing-sync.so')
const engine = new LoggedEngine(join(folder, 'data'))
afterEach(async () => {
  vi.unstubAllEnvs()
  await engine.stop()
  rmSync(folder, { recursive: true })
})

it('rows whose part could not be synced are brought in again, not set aside', async () => {
  const source = join(import.meta.dirname, 'testing/failing-sync.c')
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'])
  for (const [name, value] of Object.entries({
    LD_PRELOAD: library,
    SYNC_FAILS_IN: 'data.bin',
    SYNC_FAILS_ONCE: once,
  }))
    vi.stubEnv(name, value)
  await engine.start()
  await engine.run(
    'CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1',
  )
  await engine.insert(1)
  for (const bodies of [1, 2]) {
    for (let i = 0; i < bodies; i++) await engine.insert(3)
    writeFileSync(once, '')
    expect(await engine.wrong()).toBe('')
    expect(existsSync(once)).toBe(false)
  }
  expect(engine.said).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('trying again: Code: 204')),
  )
  expect(readdirSync(join(engine.dataDir, 'write-log/refused'))).toEqual([])
})
