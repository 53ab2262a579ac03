/** `make test`: what fails is named, whatever else runs, and what needs the machine for itself has it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { finished } from '../support/command.js'
import { isAlive } from '../support/processes.js'
import { root } from '../support/root.js'
import { until } from '../support/until.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-groups-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const groups = async (list: object[], ...args: string[]) => {
  writeFileSync(join(folder, 'groups.json'), JSON.stringify(list))
  const script = [join(root, 'scripts/test.mjs'), '--groups', join(folder, 'groups.json'), ...args]
  const env = { ...process.env, CI: '', PATH: `${folder}:${process.env.PATH}` }
  return finished(process.execPath, script, env, 60, folder)
}
/** Writes down when it begins and ends. */
const noted = (name: string, then = 'true') => ({
  name,
  files: 1,
  command: `echo +${name} >> log; sleep 0.3; echo -${name} >> log; ${then}`,
})

it('a group that fails is named, with why servers failed, and those beside it run to their end', async () => {
  const failed = '{"code":"INTERNAL","causes":["no such column"],"msg":"request failed"}'
  const list = [noted('good'), noted('bad', 'echo broken; exit 3'), noted('other', `echo '${failed}' >&2`)]
  const { code, stdout } = await groups(list)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^bad +broken$/m)
  expect(stdout).toMatch(/^bad +FAILED \(3\)$/m)
  for (const name of ['good', 'other']) expect(stdout).toMatch(new RegExp(`^${name} +passed$`, 'm'))
  expect(stdout.trimEnd().split('\n').slice(-4)).toEqual([
    'Requests that servers failed, 1 in all:',
    ...[failed, '', 'FAILED: bad'],
  ])
})

it('a group that needs the machine for itself has it', async () => {
  const { code } = await groups([noted('a'), { ...noted('b'), alone: true }, noted('c')])
  expect(code).toBe(0)
  const log = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
  expect(log.indexOf('-b')).toBe(log.indexOf('+b') + 1)
})

it('only those that are asked for run; one that is unknown is an error', async () => {
  const { code, stdout } = await groups([noted('a'), noted('b')], 'b')
  expect([code, readFileSync(join(folder, 'log'), 'utf8')]).toEqual([0, '+b\n-b\n'])
  expect(stdout).toMatch(/\| b \| 0\.0 \| \d+ \| passed \|/)
  const wrong = await groups([noted('a')], 'x')
  expect([wrong.code, wrong.stderr]).toEqual([2, 'No group x: there are a.\n'])
})

it('a group of parts runs each of them, under a name of its own', async () => {
  const { code, stdout } = await groups([{ ...noted('a'), parts: 2 }, noted('b')], 'a')
  expect([code, readFileSync(join(folder, 'log'), 'utf8').match(/\+\w/g)]).toEqual([0, ['+a', '+a']])
  for (const part of [1, 2]) expect(stdout).toMatch(new RegExp(`\\| a-${part} \\| .*\\| passed \\|`))
})

it('a signal ends what the groups have started, and no other group begins', async () => {
  const list = [
    { name: 'a', files: 1, alone: true, command: 'sleep 600 & echo $! > pid; wait' },
    noted('later'),
  ]
  writeFileSync(join(folder, 'groups.json'), JSON.stringify(list))
  const script = [join(root, 'scripts/test.mjs'), '--groups', join(folder, 'groups.json')]
  const runner = spawn(process.execPath, script, { cwd: folder, stdio: 'ignore' })
  const pid = await until('the process of a group', () => Number(readFileSync(join(folder, 'pid'), 'utf8')))
  runner.kill('SIGTERM')
  const [code] = await once(runner, 'exit')
  expect([code, isAlive(pid), existsSync(join(folder, 'log'))]).toEqual([1, false, false])
})

describe('a test that ran out of time', () => {
  /** A report of one test in `a.test.ts`. */
  const report = (...failureMessages: string[]) =>
    JSON.stringify({
      testResults: [
        {
          name: join(folder, 'a.test.ts'),
          assertionResults: [{ fullName: 'is slow', duration: 1, failureMessages }],
        },
      ],
    })
  /** A group whose tests fail so; run by `npx vitest`, they pass or fail as `alone` says, and the arguments are noted. */
  const withReport = (failure: string, alone: number) => {
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\necho "$@" > asked\nexit ${alone}\n`, { mode: 0o755 })
    writeFileSync(join(folder, 'first.json'), report(failure))
    return groups([{ name: 'e2e', files: 1, command: 'cp first.json .cache/tests/e2e.json; exit 1' }])
  }

  it.each([
    'Error: STACK_TRACE_ERROR',
    'AssertionError: expected [ …(1) ] to deeply equal []\n+   "Failed to link an item: timed out",',
  ])('runs once more by itself, and is named if it passes then: %s', async (failure) => {
    const { code, stdout } = await withReport(`${failure}\n    at a.test.ts`, 0)
    expect(code).toBe(0)
    expect(stdout).toContain(`passed alone:\n\na.test.ts: is slow\n    ${failure.split('\n')[0]}`)
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(/--project e2e .* a\.test\.ts$/m)
  })

  it('fails if it fails again, and so does one that failed for another reason, at once', async () => {
    expect((await withReport('Error: waited 60 s for a span; last: undefined', 1)).code).toBe(1)
    rmSync(join(folder, 'asked'))
    const { code, stdout } = await withReport('AssertionError: expected 1 to be 2', 0)
    expect([code, existsSync(join(folder, 'asked'))]).toEqual([1, false])
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('FAILED: e2e')
  })
})

it('the slowest tests of all reports are listed, slowest first', async () => {
  const vitest = {
    testResults: [
      {
        name: join(folder, 'one.test.ts'),
        assertionResults: [{ fullName: 'a | b', duration: 1500, failureMessages: [] }],
      },
    ],
  }
  writeFileSync(join(folder, 'v.json'), JSON.stringify(vitest))
  writeFileSync(
    join(folder, 'p.xml'),
    '<testsuite><testcase classname="tests.test_x" name="test_y[&lt;3]" time="2.25" /></testsuite>',
  )
  const { stdout } = await groups([{ name: 'a', files: 1, command: 'cp v.json p.xml .cache/tests/' }])
  expect(stdout).toContain(
    '| 2.3 | model-server/tests/test_x.py | test_y[<3] |\n| 1.5 | one.test.ts | a \\| b |\n',
  )
})
