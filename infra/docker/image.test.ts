/** That what the image of the Node roles would hold starts, is small, and holds nothing that it has no use for. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Embedded, startEmbedded } from '../../clickhouse-embedded/start.js'
import { freePorts } from '../../test/support/ports.js'
import { until } from '../../test/support/until.js'
import { root } from '../helm/testing/render.js'
import { type Built, build, steps } from './testing/dockerfile.js'

const MOST_BYTES = 250 * 2 ** 20
const folder = mkdtempSync(join(tmpdir(), 'heddle-image-'))
let image: Built
let engine: Embedded
let role: ChildProcess | undefined

/** What the Dockerfile's ignore list keeps out, as patterns of paths. */
const patterns = readFileSync(join(root, 'infra/docker/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const path = line
      .replaceAll('.', '\\.')
      .replace(/^\*\*\//, '(.*/)?')
      .replaceAll(/(?<!\.)\*/g, '[^/]*')
    return new RegExp(`^${path}(/|$)`)
  })
const ignored = (file: string) => patterns.some((pattern) => pattern.test(file))

beforeAll(async () => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const context = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
  const used = context.filter((file) => !ignored(file))
  image = build(join(root, 'infra/docker/Dockerfile'), root, used, join(folder, 'stages'))
  engine = await startEmbedded({ dataDir: join(folder, 'store') })
}, 400_000)

afterAll(async () => {
  if (role?.exitCode === null) role.kill('SIGKILL')
  await engine?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

/** What the entry point runs, without the base image's init. */
function command(...args: string[]): [string, string[]] {
  const [init, separator, program = ''] = image.entrypoint
  expect([init, separator]).toEqual(['tini', '--'])
  return [join(image.root, 'usr/local/bin', program), args]
}

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  TMPDIR: folder,
  ...image.environment,
  CLICKHOUSE_URL: engine.url,
  CLICKHOUSE_USER: engine.username,
  CLICKHOUSE_PASSWORD: engine.password,
  ...more,
})

describe('the image of the Node roles', () => {
  it('says its version', () => {
    // The link names a place in the image, so it is followed by hand.
    const said = execFileSync(process.execPath, [join(image.root, 'app/dist/cli/main.js'), '--version'], {
      encoding: 'utf8',
    })
    expect(said.trim()).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('makes tables, serves a role, and stops when it is told to', async () => {
    const [program] = command()
    execFileSync(program, ['migrate'], { env: environment(), cwd: join(image.root, image.workdir) })
    const [port = 0, metrics = 0] = await freePorts(2)
    const own = { HEDDLE_HOST: '127.0.0.1', HEDDLE_PORT: String(port), HEDDLE_METRICS_PORT: String(metrics) }
    role = spawn(program, image.command, {
      env: environment(own),
      cwd: join(image.root, image.workdir),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    role.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000)
    })
    const ready = async () => {
      if (role?.exitCode !== null) throw new Error('it ended')
      return (await fetch(`http://127.0.0.1:${metrics}/readyz`)).ok
    }
    await until('the role to be ready', ready, 60).catch((error: Error) => {
      throw new Error(`${error.message}\n${said}`)
    })
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    role.kill('SIGTERM')
    expect((await once(role, 'exit'))[0]).toBe(0)
  })

  it('is small, and holds no tools, tests or benchmarks', () => {
    const bytes = Number(
      execFileSync('du', ['-sb', join(image.root, 'app')], { encoding: 'utf8' }).split('\t')[0],
    )
    expect(bytes).toBeLessThan(MOST_BYTES)
    expect(readdirSync(join(image.root, 'app')).sort()).toEqual([
      'LICENSE',
      'dist',
      'node_modules',
      'package.json',
    ])
    expect(existsSync(join(image.root, 'app/dist/bench'))).toBe(false)
    for (const tool of ['typescript', 'vitest', '@biomejs', '@chdb'])
      expect(existsSync(join(image.root, 'app/node_modules', tool)), tool).toBe(false)
  })
})

describe.each(['Dockerfile', 'model-server.Dockerfile'])('%s', (file) => {
  it('runs as nobody in particular, behind an init, and names the version of what it starts from', () => {
    const all = steps(readFileSync(join(root, 'infra/docker', file), 'utf8'))
    const last = (name: string) => all.findLast((step) => step.name === name)?.rest
    expect(last('USER')).toBe('10001:10001')
    expect(last('ENTRYPOINT')).toContain('"tini", "--"')
    for (const { name, rest } of all)
      if (name === 'FROM') expect(rest).toMatch(/^(\S+:\S+|python|\$\{BASE\})( AS \w+)?$/)
  })
})
