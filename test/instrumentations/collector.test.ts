/**
 * A Collector of the published parts with the configuration of docs/frameworks/opentelemetry-collector.md, between an
 * exporter and each door: the calls are what they are without it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { freePorts } from '../support/ports.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'
import { outlineFile, settledOutline } from './outline.js'
import { placeOf } from './places.js'
import { runRow } from './program.js'
import { COLLECTOR } from './rows.js'

const page = readFileSync(join(root, 'docs/frameworks', COLLECTOR), 'utf8')
const [whole, overGrpc] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)
const DOORS = {
  HTTP: whole!,
  gRPC: whole!
    .replace(/(?<=^exporters:\n)[\s\S]*?(?=^\S)/m, () => overGrpc!)
    .replaceAll('[otlp_http/heddle]', '[otlp_grpc/heddle]'),
}
/** It would tell all that it does, and listen at a port of its own for its metrics. */
const QUIET = 'service: {telemetry: {logs: {level: warn}, metrics: {level: none}}}'

let server: SharedServer
let provider: Stub
beforeAll(async () => {
  ;[server, provider] = await Promise.all([sharedServer(), Stub.start('tool-provider')])
})
afterAll(() => provider?.stop())

/** Runs the Collector while `work` does what it does, and until it has sent all. @param work with its address */
async function collecting(configuration: string, work: (via: string) => Promise<void>): Promise<void> {
  const [port] = await freePorts(1)
  const folder = mkdtempSync(join(tmpdir(), 'heddle-collector-'))
  const files = [configuration.replace('127.0.0.1:4318', `127.0.0.1:${port}`), QUIET].map((text, i) => {
    writeFileSync(join(folder, `${i}.yaml`), text)
    return `--config=file:${join(folder, `${i}.yaml`)}`
  })
  const env = { PATH: process.env.PATH, WANDB_API_KEY: server.key }
  const collector = spawn(join(root, placeOf('go'), 'opentelemetry_collector'), files, {
    ...{ env, stdio: ['ignore', 'inherit', 'inherit'], timeout: 120_000 },
  })
  const ended = once(collector, 'exit')
  try {
    await until('the Collector listens', async () => {
      const socket = connect(port!, '127.0.0.1')
      await once(socket, 'connect')
      socket.destroy()
      return true
    })
    await work(`http://127.0.0.1:${port}`)
  } finally {
    collector.kill('SIGTERM')
    rmSync(folder, { recursive: true })
  }
  expect(await ended).toEqual([0, null])
}

const CASES = [
  ['HTTP', 'gzip', 'openai_v2_logs'],
  ['HTTP', 'zstd', 'openai-js.md'],
  ['HTTP', 'none', 'openai.md'],
  ['gRPC', 'gzip', 'openai-js.md'],
  ['gRPC', 'zstd', 'openai_v2_logs'],
] as const

/** scripts/instrumentations.sh leaves out what there is no command for. */
const hasGo = existsSync(join(root, placeOf('go')))

it.skipIf(!hasGo).each(CASES)('over %s with %s: %s', async (door, compression, row) => {
  const project = freshProject()
  const configuration = DOORS[door]
    .replace(/^( +)endpoint: .*(8080|4317)$/m, `$&\n$1compression: ${compression}`)
    .replace('http://127.0.0.1:8080', server.url)
    .replace('127.0.0.1:4317', new URL(server.otlpGrpcUrl).host)
    .replace('me/first', project)
  await collecting(configuration, (via) => runRow(row, { server, provider, project, via }))
  const outline = await settledOutline({ server, project }, row)
  expect(outline).toBe(readFileSync(outlineFile(row), 'utf8'))
})
