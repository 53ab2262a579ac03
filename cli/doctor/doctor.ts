/** `heddle doctor`: checks everything that `heddle up` needs and suggests fixes. */
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { leftFree } from '../../platform/clickhouse/disk-room.js'
import { type Config, type Environment, unknownVariables } from '../../platform/config/read.js'
import { OTLP_GRPC_PORT, processes } from '../../platform/config/settings.js'
import { answering, storeOptions } from '../data/store-options.js'
import { reachable } from '../reachable.js'
import { runtimeProblem, thisRuntime } from '../serve/runtime.js'
import { size } from '../size.js'
import { DataFolder } from '../up/data-folder.js'
import { tryListen } from '../up/ports.js'
import { chatFindings } from './chat.js'
import type { Finding } from './finding.js'
import { spansFindings } from './spans.js'
import { storeFindings } from './store.js'

type DoctorConfig = Config<typeof processes.doctor>

const GIB = 2 ** 30
const MIB = 2 ** 20
/** The engine's inserts pass through tmpfs where it has room for a few blocks. */
const TMPFS_WANTED = 256 * MIB

/** Runs all checks; never throws. @param checkParts also reads all stored data */
export async function examine(
  config: DoctorConfig,
  env: Environment,
  checkParts = false,
): Promise<Finding[]> {
  const findings: (Finding | Finding[])[] = [runtime(), environment(env)]
  if (config.clickhouseUrl === undefined) findings.push(await disk(config.dataDir), await tmpfs())
  const running = await isHeddle(config)
  findings.push(await portFree('port', config.host, config.port, 'HEDDLE_PORT', running))
  findings.push(
    await portFree('metrics port', config.host, config.metricsPort, 'HEDDLE_METRICS_PORT', running),
  )
  if (config.chat)
    findings.push(
      await portFree('chat port', config.host, config.trainingPort, 'HEDDLE_TRAINING_PORT', running),
    )
  findings.push(await grpcPort(config, running))
  findings.push(await chatFindings(config))
  findings.push(await store(config, checkParts))
  findings.push(await spansFindings(config))
  return findings.flat()
}

/** The findings as text. */
export function report(findings: readonly Finding[], colour: boolean): string {
  const marks = { ok: ['ok  ', 32], warn: ['warn', 33], fail: ['FAIL', 31] } as const
  const width = Math.max(...findings.map(({ name }) => name.length))
  const lines = findings.map(({ name, state, text, todo }) => {
    const [mark, code] = marks[state]
    const shown = colour ? `\u001b[${code}m${mark}\u001b[0m` : mark
    return `${shown}  ${name.padEnd(width)}  ${text}${todo ? `\n${' '.repeat(width + 8)}→ ${todo}` : ''}`
  })
  return `${lines.join('\n')}\n`
}

function runtime(): Finding {
  const { node, glibc } = thisRuntime()
  const problem = runtimeProblem()
  const text = `Node.js ${node}, ${glibc ? `glibc ${glibc}` : 'no glibc'}`
  return problem === undefined
    ? { name: 'runtime', state: 'ok', text }
    : { name: 'runtime', state: 'fail', text, todo: problem }
}

function environment(env: Environment): Finding {
  const odd = unknownVariables(Object.values(processes), env)
  if (odd.length === 0) return { name: 'configuration', state: 'ok', text: 'no unknown variables' }
  const text = `unknown: ${odd.map(({ variable }) => variable).join(', ')}`
  const meant = odd
    .filter((one) => one.meant !== '')
    .map((one) => `${one.variable}: did you mean ${one.meant}?`)
  return { name: 'configuration', state: 'warn', text, todo: meant.join(' ') || 'see `heddle up --help`' }
}

async function disk(dataDir: string): Promise<Finding> {
  const folder = await nearest(resolve(dataDir))
  try {
    await access(folder, constants.W_OK)
  } catch {
    const todo = 'set HEDDLE_DATA_DIR to a writable folder'
    return { name: 'data folder', state: 'fail', text: `${folder} is not writable`, todo }
  }
  const { bavail, bsize, blocks } = await statfs(folder)
  const free = bavail * bsize
  const refused = free < leftFree(blocks * bsize) ? ': writes are refused' : ''
  const text = `${resolve(dataDir)}, ${size(free)} free${refused}`
  if (free > 2 * GIB) return { name: 'data folder', state: 'ok', text }
  const state = free > 200 * MIB ? 'warn' : 'fail'
  return {
    name: 'data folder',
    state,
    text,
    todo: 'free some space, or set HEDDLE_DATA_DIR to a larger disk',
  }
}

async function tmpfs(): Promise<Finding> {
  const found = await statfs('/dev/shm').catch(() => undefined)
  const free = found ? found.bavail * found.bsize : 0
  const text = `/dev/shm, ${Math.round(free / MIB)} MiB free`
  if (free >= TMPFS_WANTED) return { name: 'tmpfs', state: 'ok', text }
  const todo = 'inserts use the data folder instead, which is slower; in a container, raise --shm-size to 1g'
  return { name: 'tmpfs', state: 'warn', text, todo }
}

async function portFree(
  name: string,
  host: string,
  port: number,
  variable: string,
  running: boolean,
): Promise<Finding> {
  const problem = await tryListen(host, port)
  if (problem === undefined) return { name, state: 'ok', text: `${port} on ${host} is free` }
  if (running) return { name, state: 'ok', text: `${port} on ${host} is used by a running Heddle` }
  return {
    name,
    state: 'fail',
    text: `${port} on ${host}: ${problem}`,
    todo: `set ${variable} to another port`,
  }
}

/** Heddle does without it where the default is another program's. */
async function grpcPort({ host, otlpGrpcPort: port }: DoctorConfig, running: boolean): Promise<Finding> {
  const name = 'OTLP/gRPC port'
  if (port === undefined) return { name, state: 'ok', text: 'off' }
  const finding = await portFree(name, host, port, 'HEDDLE_OTLP_GRPC_PORT', running)
  return finding.state === 'fail' && port === OTLP_GRPC_PORT ? { ...finding, state: 'warn' } : finding
}

async function isHeddle(config: DoctorConfig): Promise<boolean> {
  try {
    const url = `http://${reachable(config.host)}:${config.metricsPort}/livez`
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

async function store(config: DoctorConfig, checkParts: boolean): Promise<Finding[]> {
  const { clickhouseUrl: url, secretsKey } = config
  if (url !== undefined)
    return storeFindings({
      options: storeOptions(config, url),
      what: url,
      server: true,
      secretsKey,
      checkParts,
    })
  // The address may belong to an engine that was killed.
  const running = await answering(new DataFolder(config.dataDir).readEngineAddress())
  const what = 'the embedded engine of a running `heddle up`'
  if (running) return storeFindings({ options: running, what, server: false, secretsKey, checkParts })
  return [{ name: 'store', state: 'ok', text: 'embedded, not running; `heddle up` starts it' }]
}

/** `path`, or the closest folder above it that exists. */
async function nearest(path: string): Promise<string> {
  try {
    await access(path)
    return path
  } catch {
    return dirname(path) === path ? path : nearest(dirname(path))
  }
}
