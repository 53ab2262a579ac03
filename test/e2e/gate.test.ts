/** The gate's guide as it stands: its programs, its commands, and the examples for CI, against runs of the Python SDK. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Row } from '../support/api.js'
import { main, run } from '../support/command.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'

const page = readFileSync(join(root, 'docs/guides/gate.md'), 'utf8')
/** Files by their names: what the guide says to save. */
const files = [...page.matchAll(/(?:Save|And) this as `([\w.]+)`[^`]*?```\w+\n([\s\S]*?)^```$/gm)]
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!)

const folder = mkdtempSync(join(tmpdir(), 'heddle-gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let server: SharedServer
let env: NodeJS.ProcessEnv

/** Runs a command in the folder, where `heddle` and `python` are on the path. */
const here = (command: string, args: string[], more: NodeJS.ProcessEnv = {}) =>
  run(command, args, { cwd: folder, env: { ...env, ...more } })
const heddle = (...args: string[]) => here(process.execPath, [main, ...args])
const gate = (...args: string[]) => heddle('eval', 'gate', 'acme/gate', ...args)
const runId = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Without what differs from time to time. */
const plain = (text: string) => text.replaceAll(/http:\S+/g, '…').replaceAll(/^ *Flushing tasks.*\n/gm, '')

beforeAll(async () => {
  server = await sharedServer()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/heddle'), `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`)
  chmodSync(join(folder, 'bin/heddle'), 0o755)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [, name, text] of files) writeFileSync(join(folder, name!), text!)
  env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${join(root, '.venv/bin')}:${process.env.PATH}`,
    XDG_CONFIG_HOME: join(folder, 'config'),
    HEDDLE_PORT: String(server.ports[0]),
    HEDDLE_DEV_API_KEY: server.key,
    ...{ WANDB_BASE_URL: server.url, WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.key },
    ...{ WEAVE_USE_SERVER_CACHE: 'false', WEAVE_PRINT_CALL_LINK: 'false', WEAVE_LOG_LEVEL: 'ERROR' },
  }
  const { out, err, status } = await here('bash', ['-ec', blocks('sh').slice(0, 2).join('')])
  expect([status, plain(out)], err).toEqual([0, blocks('text')[0]])
}, 180_000)

describe('the guide', () => {
  it('names the files that it uses', () => {
    expect(files.map(([, name]) => name)).toEqual([
      ...['evaluate.py', 'limits.yml', 'conftest.py', 'test_router.py', 'router.test.js'],
    ])
  })

  it('judges the same runs by other limits, without a model', async () => {
    const before = (await server.api.calls('acme/gate')).length
    expect(await here('bash', ['-ec', blocks('sh')[2]!])).toMatchObject({ status: 0 })
    const [baseline, id] = [runId('baseline.txt'), runId('run.txt')]
    expect(JSON.parse(read('gate.json'))).toMatchObject({
      ...{ verdict: 'passed', evaluation: 'routing', rows: 24, confidence: 95 },
      baseline: { id: baseline, model: 'router', trials: 24, failed_trials: 0 },
      run: { id },
      scores: [{ score: 'right', baseline: 0.875, run: 0.625, worse_by: 0.25, limit: 0.6, worse_rows: 6 }],
    })
    expect(read('gate.xml')).toContain('tests="1" failures="0" errors="0"')
    expect(await gate(id, '--thresholds', 'limits.yml', '--min', 'right=0.9')).toMatchObject({
      status: 1,
      out: expect.stringContaining('0.625 is below the minimum of 0.9'),
    })
    expect((await server.api.calls('acme/gate')).length).toBe(before)
  })

  it('writes reports with the rows that got worse and links that lead somewhere', async () => {
    const report = read('report.md')
    expect(report).toMatch(/\| ❌ \| right \| 0\.875 \| 0\.625 \| worse by 0\.25, 95 % interval/)
    const links = [...report.matchAll(/\[(trace|Side by side|Compare the runs)\]\((\S+)\)/g)]
    expect(links).toHaveLength(8)
    expect(new Set(links.map(([, , link]) => new URL(link!).origin))).toEqual(new Set([server.url]))
    const trace = links[0]![2]!
    const [call] = await server.api.calls('acme/gate', { filter: { call_ids: [trace.split('/').at(-1)!] } })
    expect(JSON.stringify(call)).toContain(runId('run.txt'))
  })

  it('says why it can not judge, and ends with 2', async () => {
    const id = runId('run.txt')
    await here('python', ['evaluate.py', 'crash.txt'])
    const by = ['--baseline', runId('baseline.txt')]
    const cases: [string[], string][] = [
      [[id], 'no baseline'],
      [[id, '--baseline', 'nobody'], 'nobody'],
      [[id, '--baseline', 'router:staging'], 'router:staging'],
      [['nobody', ...by], 'run not found: nobody'],
      [[id, ...by, '--min', 'left=1'], 'neither run has the score left; both have: right'],
      [[id, ...by, '--thresholds', 'evaluate.py'], 'evaluate.py'],
      [[id, ...by, '--max-failed', 'some'], 'such as 3, or a share such as 5%'],
      [[runId('crash.txt'), ...by], '24 of 24 trials of the run failed, more than the 2'],
      [[runId('crash.txt'), ...by, '--max-failed', '24'], 'no score in common'],
      [[id, ...by, '--url', 'http://127.0.0.1:9'], 'no answer from http://127.0.0.1:9'],
    ]
    for (const [args, reason] of cases) {
      const ended = await gate(...args, '--junit', '-')
      expect([ended.status, ended.err]).toEqual([2, expect.stringContaining(reason)])
      expect(ended.out).toContain('<error message="')
    }
  }, 180_000)

  it('runs in pytest and vitest', async () => {
    writeFileSync(join(folder, 'evaluate.js'), 'export const evaluate = async () => process.env.RUN\n')
    const [tested, passed, failed] = await Promise.all([
      here('python', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_router.py']),
      vitest(runId('run.txt')),
      vitest(runId('crash.txt')),
    ])
    expect([tested.status, tested.out]).toEqual([0, expect.stringContaining('1 passed')])
    expect([passed.status, passed.err]).toEqual([0, ''])
    expect([failed.status, failed.err]).toEqual([
      1,
      expect.stringContaining('24 of 24 trials of the run failed'),
    ])
  }, 180_000)
  const vitest = (id: string) =>
    here(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder], {
      RUN: id,
    })
})

describe('the examples for CI', () => {
  it('GitHub’s action takes its inputs as they are, and passes the verdict on', async () => {
    const action = parse(readFileSync(join(root, 'infra/ci/github/action.yml'), 'utf8'))
    const inputs: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries(action.inputs).map(([name, one]) => [name, (one as Row).default ?? '']),
      ),
      ...{ url: server.url, key: server.key, project: 'acme/gate', run: runId('run.txt') },
      ...{ arguments: '--baseline\nrouter:production\n\n--min\n$(touch hacked)=1\n' },
    }
    const step = action.runs.steps.at(-1)
    // As the runner does it.
    const given = Object.entries(step.env as Record<string, string>).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => inputs[input]!),
    ])
    const runner = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    const act = (more: object) =>
      here('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
        ...Object.fromEntries(given),
        ...runner,
        ...more,
      })
    expect(await act({})).toMatchObject({ status: 2, err: expect.stringContaining('$(touch hacked)') })
    expect(await act({ ARGUMENTS: '--baseline\nrouter:production' })).toMatchObject({ status: 1 })
    expect(await act({ ARGUMENTS: '--thresholds\nlimits.yml' })).toMatchObject({ status: 0 })
    expect(read('output')).toBe('verdict=not judged\nverdict=failed\nverdict=passed\n')
    expect(read('summary')).toMatch(/Not judged[\s\S]*❌ routing[\s\S]*✅ routing/)
    expect(await here('ls', ['hacked'])).not.toMatchObject({ status: 0 })
  }, 180_000)

  it('GitLab’s job does the same', async () => {
    const job = parse(readFileSync(join(root, 'infra/ci/gitlab.yml'), 'utf8'))['.heddle-gate']
    const variables = {
      ...{ HEDDLE_URL: server.url, HEDDLE_KEY: server.key, HEDDLE_PROJECT: 'acme/gate' },
      ...{ RUN: runId('run.txt'), GATE_ARGUMENTS: '--baseline router:production' },
    }
    expect(await here('bash', ['-ec', job.script.join('\n')], variables)).toMatchObject({ status: 1 })
    expect(read(job.artifacts.reports.junit)).toContain('<failure message="worse by 0.25')
    expect(read(job.artifacts.paths[0])).toContain('6 rows got worse')
  })
})
