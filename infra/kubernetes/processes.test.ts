/**
 * What the chart renders, run: commands, environments and probes of its containers as processes of this machine, on
 * the embedded engine and a Redis of its own. In the simulated cluster all of this would always succeed.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Embedded, startEmbedded } from '../../clickhouse-embedded/start.js'
import { main } from '../../test/support/command.js'
import { demoModel, hasModelServer, modelServer, modelServerPython } from '../../test/support/demo-model.js'
import { freePorts } from '../../test/support/ports.js'
import { until } from '../../test/support/until.js'
import { type Manifest, podsOf, render } from '../helm/testing/render.js'
import { Containers, type Running } from './testing/containers.js'

const withNode = hasModelServer()
const NODE = 'r-heddle-small-demo'
const ENDS_MS = 30_000

const manifests = render({
  // The embedded engine has this user alone.
  extraEnv: [{ name: 'CLICKHOUSE_USER', value: 'default' }],
  ingest: { enabled: true },
  artifacts: { address: 's3://heddle/artifacts', endpoint: 'http://127.0.0.1:9', existingSecret: 's3' },
  extraManifests: [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's3' },
      data: { 'access-key-id': 'aWQ=', 'secret-access-key': 'a2V5' },
    },
  ],
  modelServer: {
    pools: withNode
      ? [
          {
            name: 'small',
            models: [{ name: 'demo', demo: true }],
            gpu: { count: 0 },
            tolerations: [],
            train: true,
          },
        ]
      : [],
  },
})
const roles = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)
const tablesFirst = (name: string) =>
  podsOf(manifests).find(({ owner }) => owner.metadata.name === name)?.spec.initContainers?.length === 1

const folder = mkdtempSync(join(tmpdir(), 'heddle-containers-'))
let containers: Containers
let engine: Embedded
let redis: Running
let node: Running | undefined
const running = new Map<string, Running>()

/** A port of this machine for each that a container of the chart listens on. */
async function portsFor(all: readonly Manifest[]): Promise<Map<string, number>> {
  const addresses = podsOf(all).flatMap(({ owner, spec }) =>
    spec.containers.flatMap(({ ports = [] }) =>
      ports.map(({ containerPort }) => `${owner.metadata.name}:${containerPort}`),
    ),
  )
  const free = await freePorts(addresses.length)
  return new Map(addresses.map((address, i) => [address, free[i] ?? 0]))
}

beforeAll(async () => {
  const ports = await portsFor(manifests)
  const [store = 0] = await freePorts(1)
  ports.set('r-clickhouse:8123', store)
  const path = process.env.PATH ?? ''
  containers = new Containers(
    manifests,
    {
      'heddle/heddle': { command: [process.execPath, main], path: `${dirname(process.execPath)}:${path}` },
      'model-server': {
        command: [modelServerPython, '-m', 'heddle_model_server'],
        path: `${dirname(modelServerPython)}:${path}`,
        cwd: modelServer,
      },
      redis: { command: [], path },
    },
    folder,
    ports,
  )
  // New pods come before their store, and before its tables: they have to wait for both.
  for (const name of roles.filter(tablesFirst))
    running.set(`${name} tables`, containers.start(name, 'tables'))
  redis = containers.start('r-redis')
  if (withNode) {
    cpSync(demoModel(), join(containers.folderFor(NODE, 'cache'), 'demo'), { recursive: true })
    expect(await containers.run(NODE, 'demo-model')).toMatchObject({ status: 0 })
    node = containers.start(NODE)
  }
  const password = containers.secret('r-clickhouse', 'password')
  engine = await startEmbedded({ dataDir: join(folder, 'store'), port: store, password })
  await containers.until(redis, 'readinessProbe')
}, 180_000)

afterAll(async () => {
  await containers?.stop()
  await engine?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const probes = async (name: string) => ({
  startup: await containers.probe(name, 'startupProbe'),
  live: await containers.probe(name, 'livenessProbe'),
  ready: await containers.probe(name, 'readinessProbe'),
})
const FINE = { startup: true, live: true, ready: true }
const test = () => containers.run('r-heddle-test')

describe.sequential('containers of the chart', () => {
  it('wait for their tables, which the Job makes, also when it is run again', async () => {
    const waiting = [...running].filter(([name]) => name.endsWith('tables')).map(([, one]) => one)
    expect(waiting.length).toBeGreaterThan(3)
    for (const one of waiting) expect(one.process.exitCode, one.log()).toBeNull()
    const killed = containers.start('r-heddle-migrate')
    await until('the Job to be at work', () => killed.log().length > 0 || killed.process.exitCode !== null)
    killed.process.kill('SIGKILL')
    await killed.ended
    const job = await containers.run('r-heddle-migrate')
    expect(job.status, job.log).toBe(0)
    for (const one of waiting) expect(await one.ended, one.log()).toBe(0)
  })

  it.runIf(withNode)('a GPU node is started, alive and ready when its model is loaded', async () => {
    await containers.until(node!, 'startupProbe', 120)
    await containers.until(node!, 'readinessProbe', 60)
    expect(await probes(NODE)).toEqual(FINE)
  })

  it.each(roles)('%s is started, alive and ready', async (name) => {
    const role = containers.start(name)
    running.set(name, role)
    await containers.until(role, 'startupProbe')
    await containers.until(role, 'readinessProbe')
    expect(await probes(name)).toEqual(FINE)
    expect(role.log()).not.toContain('unknown variable')
  })

  it('Redis is alive and ready, and keeps what queues need', async () => {
    expect(await probes('r-redis')).toEqual(FINE)
  })

  it('pass `helm test`', async () => {
    const { status, log } = await test()
    expect(log).toContain('all is well')
    expect(status).toBe(0)
  })

  it.each(roles)('fail `helm test` without %s, which ends in time when it is asked to', async (name) => {
    const role = running.get(name)!
    const began = performance.now()
    role.process.kill('SIGTERM')
    expect(await role.ended, role.log()).toBe(0)
    expect(performance.now() - began).toBeLessThan(ENDS_MS)
    expect(await containers.probe(name, 'livenessProbe')).toBe(false)
    const { status, log } = await test()
    expect(status).toBe(1)
    expect(log).toContain(`FAILED  ${name.replace('r-heddle-', '')} is ready`)
    const again = containers.start(name)
    running.set(name, again)
    await containers.until(again, 'readinessProbe')
  })

  it.runIf(withNode)('workers are not ready without a node, and alive', async () => {
    node!.process.kill('SIGTERM')
    expect(await node!.ended).toBe(0)
    expect(await containers.probe(NODE, 'livenessProbe')).toBe(false)
    await until(
      'the worker to notice',
      async () => !(await containers.probe('r-heddle-inference-worker', 'readinessProbe')),
    )
    expect(await containers.probe('r-heddle-inference-worker', 'livenessProbe')).toBe(true)
  })

  it('are not ready without Redis where they can do nothing without it, and alive', async () => {
    redis.process.kill('SIGTERM')
    await redis.ended
    expect(await containers.probe('r-redis', 'readinessProbe')).toBe(false)
    await until(
      'the interface to notice',
      async () => !(await containers.probe('r-heddle-training-api', 'readinessProbe')),
    )
    for (const name of roles) expect(await containers.probe(name, 'livenessProbe'), name).toBe(true)
    // Writes and plain reads go on.
    expect(await containers.probe('r-heddle-tracing', 'readinessProbe')).toBe(true)
  })

  it('are not ready without their store, and alive', async () => {
    await engine.stop()
    for (const name of roles.filter(tablesFirst)) {
      await until(`${name} to notice`, async () => !(await containers.probe(name, 'readinessProbe')))
      expect(await containers.probe(name, 'livenessProbe'), name).toBe(true)
    }
  })
})

it('the build is there', () => expect(existsSync(main)).toBe(true))
