/**
 * Starts what chat needs under `heddle up`: a Redis for the queues, a worker, and a model node if it is installed. Each
 * is a supervised child process. If something is missing, one line says so, and the rest runs without it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import type { Log } from '../../platform/telemetry/log.js'
import { CommandError } from '../command.js'
import { startRole } from '../serve/role-child.js'
import type { Shutdown } from '../serve/shutdown.js'
import { Child } from './child.js'
import { childEnv } from './child-env.js'
import { canSetUp, setUpModelServer } from './model-server-setup.js'
import { onPath } from './on-path.js'
import { freePort } from './ports.js'
import { startRedis } from './redis-child.js'

type ChatConfig = Pick<
  Config<typeof processes.up>,
  | 'chat'
  | 'redisUrl'
  | 'nodes'
  | 'nodeToken'
  | 'nodeCa'
  | 'model'
  | 'modelServerSetup'
  | 'dataDir'
  | 'stopSeconds'
>

/** The nodes, and how workers reach them. */
export interface NodesUp {
  redisUrl: string
  /** addresses, separated by commas */
  nodes: string
  token: string | undefined
}

export interface Chat {
  /** of the queues; undefined: no chat */
  redisUrl: string | undefined
  /** undefined: none */
  nodes?: NodesUp
  /** the model server's packages are being installed; chat works afterwards */
  later?: boolean
  /** one line that says what is missing and what to do; undefined: nothing */
  missing: string | undefined
}

/** The command of the Python package `heddle-model-server`. */
const MODEL_SERVER = 'heddle-model-server'

/** Models that are made here: the flag that makes each. */
const DEMOS: Record<string, string> = { demo: '--chats', 'demo-embedding': '--embeds' }

/** Arguments: address, model, the model server's command. Makes a demo model if needed, then serves. */
const SERVE = `address=$1 model=$2
shift 2
[ -z "$HEDDLE_DEMO" ] || mkdir -p "$(dirname "$model")"
[ -z "$HEDDLE_DEMO" ] || "$@" make-demo-model "$HEDDLE_DEMO" "$model" || exit
exec "$@" serve --listen "$address" --model "$model"`

/** Its settings, and the credentials of the artifact store and the model hub. */
const NODE_READS = ['HEDDLE_NODE_*', 'HEDDLE_S3_ENDPOINT', 'AWS_*', 'HF_TOKEN']

/** A stopping node finishes running requests. */
const NODE_GRACE_MS = 35_000

/**
 * Starts everything; missing parts don't fail it.
 * @param dataDir absolute path
 * @param artifacts where nodes on this machine store checkpoints: an absolute path, or s3://…; undefined: they don't train
 */
export async function startChat(
  config: ChatConfig,
  dataDir: string,
  artifacts: string | undefined,
  log: Log,
  shutdown: Shutdown,
): Promise<Chat> {
  if (!config.chat) {
    const off = config.redisUrl === undefined ? WITHOUT_REDIS : 'chat is off'
    return { redisUrl: undefined, missing: `${off} (HEDDLE_CHAT)` }
  }
  let redisUrl = config.redisUrl
  try {
    redisUrl ??= await ownRedis(dataDir, log, shutdown)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { redisUrl: undefined, missing: `${WITHOUT_REDIS}: ${error.message}` }
  }
  const installed = localModelServer() !== undefined
  const here =
    config.nodes === undefined ? await localNodes(config, dataDir, artifacts, log, shutdown) : undefined
  const nodes = config.nodes ?? here?.nodes
  const later = here !== undefined && !installed
  if (nodes === undefined)
    return { redisUrl, missing: `no model node: ${modelServerHint()}, or set HEDDLE_NODES` }
  const reached = { redisUrl, nodes, token: here?.token ?? config.nodeToken }
  const graceMs = (config.stopSeconds + 5) * 1000
  startRole({ command: 'inference-worker', env: nodesEnv(reached), graceMs }, log, shutdown)
  return { redisUrl, missing: undefined, nodes: reached, later }
}

const WITHOUT_REDIS = 'chat, evaluations, monitors, alerts and rules are off'

async function ownRedis(dataDir: string, log: Log, shutdown: Shutdown): Promise<string> {
  const redis = await startRedis(dataDir, log)
  shutdown.add('redis', () => redis.stop())
  return redis.url
}

/** The environment that tells a worker the queues and the nodes. */
export function nodesEnv({ redisUrl, nodes, token }: NodesUp): NodeJS.ProcessEnv {
  return {
    REDIS_URL: redisUrl,
    HEDDLE_NODES: nodes,
    ...(token !== undefined && { HEDDLE_NODE_TOKEN: token }),
  }
}

/** A node for each configured model, if the model server is installed here or can be. */
async function localNodes(
  { model, modelServerSetup }: ChatConfig,
  dataDir: string,
  artifacts: string | undefined,
  log: Log,
  shutdown: Shutdown,
): Promise<{ nodes: string; token: string } | undefined> {
  const folder = modelServerSetup ? checkedOut() : undefined
  const command = folder === undefined ? localModelServer() : commandIn(folder)
  if (command === undefined) return undefined
  const setup = folder === undefined ? undefined : setUpModelServer(folder, log)
  if (setup) shutdown.add('set-up of the model server', () => setup.stop())
  const token = randomBytes(24).toString('hex')
  const models = (model ?? 'demo').split(',').map((name) => name.trim())
  const nodes: string[] = []
  for (const name of models) {
    const demo = DEMOS[name]
    const address = `127.0.0.1:${await freePort()}`
    const node = new Child({
      name: 'model node',
      command: '/bin/sh',
      args: [
        '-c',
        SERVE,
        'sh',
        address,
        demo === undefined ? name : join(dataDir, 'models', name),
        ...command,
      ],
      env: childEnv(NODE_READS, {
        HEDDLE_NODE_TOKEN: token,
        HEDDLE_DEMO: demo ?? '',
        ...(artifacts !== undefined && {
          HEDDLE_NODE_TRAIN: 'true',
          HEDDLE_NODE_ARTIFACT_ROOTS: artifacts,
        }),
      }),
      graceMs: NODE_GRACE_MS,
      log,
    })
    // A node that was stopped before its start does not start.
    if (setup) void setup.ready.then((well) => well && node.start())
    else node.start()
    shutdown.add('model node', () => node.stop())
    nodes.push(address)
  }
  return { nodes: nodes.join(','), token }
}

/** The command that starts the model server, if it is installed: in the folder of a checkout, or as a package. */
export function localModelServer(): readonly string[] | undefined {
  const folder = folders().find((one) => existsSync(`${one}/.venv/.installed`))
  if (folder !== undefined) return commandIn(folder)
  const command = onPath(MODEL_SERVER)
  return command === undefined ? undefined : [command]
}

/** How to install the model server on this machine. */
export function modelServerHint(): string {
  return checkedOut() === undefined
    ? `install ${MODEL_SERVER}[cpu] with pip, so that its command is on the PATH`
    : 'run scripts/model-server.sh once'
}

const commandIn = (folder: string) => [`${folder}/.venv/bin/python`, '-m', 'heddle_model_server']

/** The folder of the model server, if it can be installed. */
function checkedOut(): string | undefined {
  return folders().find(canSetUp)
}

/** Two folders up from the source, three from dist/cli/up. */
function folders(): string[] {
  return ['../../model-server', '../../../model-server'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
}
