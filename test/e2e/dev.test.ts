/** `make dev`: what runs is what the sources say, and a source that can't be built leaves the last one running. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isAlive } from '../support/processes.js'
import { root } from '../support/root.js'
import { until } from '../support/until.js'

let folder: string
let dev: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-dev-'))
  mkdirSync(join(folder, 'source/testing'), { recursive: true })
})
afterEach(async () => {
  if (dev?.exitCode === null) {
    dev.kill('SIGKILL')
    await once(dev, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFileSync(join(folder, 'source', name), text)
/** A program that writes what it is and its process down, and goes on until it is told to stop. */
const program = (name: string) =>
  `require('node:fs').writeFileSync(process.argv[2], '${name} ' + process.pid); setInterval(() => undefined, 1000)`
const running = async (name: string) => {
  const file = join(folder, 'running')
  const [, pid] = await until(`${name} to run`, () => {
    const found = existsSync(file) ? readFileSync(file, 'utf8').split(' ') : []
    return found[0] === name && found
  })
  return Number(pid)
}

it('builds and runs again after a change, and stops with what it runs', async () => {
  write('main.cjs', program('first'))
  // The build refuses what can't be read as JavaScript.
  const build = `echo build >> builds; node --check source/main.cjs && cp source/main.cjs built.cjs`
  dev = spawn(process.execPath, [join(root, 'scripts/dev.mjs'), build, 'node built.cjs running', 'source'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const builds = () => readFileSync(join(folder, 'builds'), 'utf8').split('\n').length - 1
  const first = await running('first')
  expect(builds()).toBe(1)

  write('main.cjs', program('second'))
  const second = await running('second')
  expect(isAlive(first)).toBe(false)

  const before = builds()
  write('main.cjs', 'no program (')
  await until('the build', () => builds() > before)
  write('testing/helper.ts', '')
  // Vite makes such folders while it runs and takes them away at once.
  for (let round = 0; round < 5000; round++) {
    mkdirSync(join(folder, 'source/node_modules/.vite/deps_temp'), { recursive: true })
    rmSync(join(folder, 'source/node_modules'), { recursive: true })
  }
  write('main.cjs', program('third'))
  await running('third')
  expect(isAlive(second)).toBe(false)

  const third = await running('third')
  dev.kill('SIGTERM')
  expect((await once(dev, 'exit'))[0]).toBe(0)
  expect(isAlive(third)).toBe(false)
})

it('a build that fails leaves what runs', async () => {
  write('main.cjs', program('good'))
  const build = `node --check source/main.cjs && cp source/main.cjs built.cjs || { touch failed; exit 1; }`
  dev = spawn(process.execPath, [join(root, 'scripts/dev.mjs'), build, 'node built.cjs running', 'source'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const good = await running('good')
  write('main.cjs', 'no program (')
  await until('the build to fail', () => existsSync(join(folder, 'failed')))
  expect(isAlive(good)).toBe(true)
})
