/**
 * Checks workers and GPU nodes for `heddle doctor`, from Redis: heartbeats, announcements, and the names of
 * connections. Does not contact workers or nodes.
 */
import type { Redis } from 'ioredis'
import { BEAT_MS, beat, SILENCE_MS } from '../../domain/chat/chat-job.js'
import {
  type Announcement,
  KNOWN_MS,
  nodesUp,
  readAnnouncement,
} from '../../domain/chat/node-announcement.js'
import { EVALUATION_QUEUE } from '../../domain/evaluation/queue-job.js'
import { TRAINING_QUEUE } from '../../domain/training/queue-job.js'
import {
  TRAINERS_KEY,
  type TrainerAnnouncement,
  trainersAlive,
} from '../../domain/training/worker-announcement.js'
import { parsedAs } from '../../platform/json/parse.js'
import { BEATS_CHANNEL, chatQueueName, NODES_KEY, QUEUE_PREFIX } from '../../platform/redis/names.js'
import { waitingJobs } from '../../platform/redis/queue-length.js'
import type { Finding } from './finding.js'

/** The node addresses that the operator configured. */
export interface NodeAddresses {
  nodes: string | undefined
  trainNodes: string | undefined
}

/** What Redis holds about workers and nodes. */
export interface WorkerState {
  /** ms since 1970 */
  now: number
  nodes: Announcement[]
  trainers: TrainerAnnouncement[]
  /** workers by kind; undefined: unknown */
  workers: Record<Kind, number | undefined>
  /** what waits for each kind */
  waiting: Record<Kind, number>
}

export type Kind = 'inference' | 'trainer' | 'evaluation'

/** @throws what Redis throws */
export async function workerFindings(redis: Redis, addresses: NodeAddresses): Promise<Finding[]> {
  return workerFindingsOf(await readState(redis), addresses)
}

/** The findings: one for each kind of worker and for each node. */
export function workerFindingsOf(all: WorkerState, addresses: NodeAddresses): Finding[] {
  const kinds = ['inference', 'trainer', 'evaluation'] as const
  return [...kinds.map((kind) => workersOf(kind, all)), ...nodesOf(all, addresses)]
}

function workersOf(kind: Kind, { workers, waiting }: WorkerState): Finding {
  const name = `${kind} workers`
  const count = workers[kind]
  const queued = waiting[kind] === 0 ? '' : `, and ${waiting[kind]} in the queue`
  if (count === undefined) {
    const todo = 'allow the user of REDIS_URL to run CLIENT LIST, or check /readyz of the workers'
    return { name, state: 'warn', text: `unknown${queued}`, todo }
  }
  if (count > 0) return { name, state: 'ok', text: `${count}${queued}` }
  // Fine before the first start, but not if work waits.
  const state = waiting[kind] > 0 ? 'fail' : 'warn'
  return { name, state, text: `none${queued}`, todo: `start \`heddle ${kind}-worker\`, or \`heddle up\`` }
}

function nodesOf(all: WorkerState, { nodes, trainNodes }: NodeAddresses): Finding[] {
  const up = new Map(nodesUp(all.nodes, all.now).map((one) => [one.address, one]))
  const serving = split(nodes)
  const training = trainNodes === undefined ? serving : split(trainNodes)
  const known = all.nodes.filter(({ at }) => at > all.now - KNOWN_MS).map(({ address }) => address)
  const addresses = [...new Set([...serving, ...split(trainNodes), ...known])].sort()
  if (addresses.length === 0) {
    const todo = 'set HEDDLE_NODES; only chat and training need nodes'
    return [{ name: 'node', state: 'warn', text: 'none found', todo }]
  }
  return addresses.map((address) => {
    const trains = all.trainers.flatMap((one) => one.nodes).filter((node) => node.address === address)
    const ready = trains.some(({ model }) => model !== '')
    const node = up.get(address)
    if (node !== undefined) {
      const text = `${address} serves ${node.model} on ${node.device}${ready ? ' and trains' : ', does not train'}`
      return { name: 'node', state: 'ok', text }
    }
    if (ready && !serving.includes(address))
      return { name: 'node', state: 'ok', text: `${address} trains ${trains[0]?.model}` }
    return absent(address, all, training.includes(address) && !serving.includes(address))
  })
}

function absent(address: string, { nodes, now, workers }: WorkerState, trainsAlone: boolean): Finding {
  const kind = trainsAlone ? 'trainer' : 'inference'
  if (workers[kind] === 0) {
    const todo = `start \`heddle ${kind}-worker\` first: it connects to nodes and announces them`
    return { name: 'node', state: 'warn', text: `${address}: no worker announces it`, todo }
  }
  const last = Math.max(0, ...nodes.filter((one) => one.address === address).map(({ at }) => at))
  const heard = last === 0 ? 'never seen' : `last seen ${Math.round((now - last) / 1000)} s ago`
  const todo =
    'check the logs of the node (heddle_model_server) and the worker: address, token, certificate, model'
  return { name: 'node', state: 'fail', text: `${address} is not up, ${heard}`, todo }
}

function split(addresses: string | undefined): string[] {
  return (addresses ?? '').split(',').flatMap((one) => one.trim() || [])
}

async function readState(redis: Redis): Promise<WorkerState> {
  const inference = await countHeartbeats(redis)
  const [nodeTexts, trainerTexts] = await Promise.all([redis.hvals(NODES_KEY), redis.hvals(TRAINERS_KEY)])
  const now = Date.now()
  const nodes = nodeTexts.flatMap((text) => readAnnouncement(text) ?? [])
  const trainers = trainersAlive(trainerTexts, now)
  const chats = [...new Set(nodes.map(({ model }) => chatQueueName(model)))]
  const lengths = await Promise.all(chats.map((queue) => waitingJobs(redis, queue)))
  return {
    ...{ now, nodes, trainers },
    workers: {
      inference,
      trainer: trainers.length,
      evaluation: await connectionsTo(redis, EVALUATION_QUEUE),
    },
    waiting: {
      inference: lengths.reduce((sum, length) => sum + length, 0),
      trainer: await waitingJobs(redis, TRAINING_QUEUE),
      evaluation: await waitingJobs(redis, EVALUATION_QUEUE),
    },
  }
}

/** Inference workers that announced something recently. */
async function countHeartbeats(redis: Redis): Promise<number> {
  const subscriber = redis.duplicate()
  subscriber.on('error', () => undefined)
  const heard = new Set<string>()
  try {
    return await new Promise<number>((resolve, reject) => {
      let timer = setTimeout(() => resolve(heard.size), SILENCE_MS)
      subscriber.on('message', (_, text) => {
        const worker = parsedAs(beat, text)?.worker
        if (worker === undefined) return
        // The others announce soon after the first.
        if (heard.size === 0) {
          clearTimeout(timer)
          timer = setTimeout(() => resolve(heard.size), 2 * BEAT_MS)
        }
        heard.add(worker)
      })
      subscriber.subscribe(BEATS_CHANNEL).catch(reject)
    })
  } finally {
    subscriber.disconnect()
  }
}

/** Workers of `queue`, by BullMQ's connection names; undefined if Redis does not list them. */
async function connectionsTo(redis: Redis, queue: string): Promise<number | undefined> {
  try {
    const list = String(await redis.client('LIST'))
    const name = `name=${QUEUE_PREFIX}:${Buffer.from(queue).toString('base64')}`
    return list.split('\n').filter((line) => line.split(' ').some((part) => part === name)).length
  } catch {
    return undefined
  }
}
