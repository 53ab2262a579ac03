/**
 * Tracks the GPU nodes that train: which are up, which model each trains, and which is free for a job. Knows nothing of
 * a job's contents.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { NodeAccess } from '../domain/nodes/connection.js'
import { NodeFailure } from '../domain/nodes/failure.js'
import { TrainClient } from '../domain/nodes/train-client.js'
import type { TrainerAnnouncement } from '../domain/training/worker-announcement.js'
import type { Log } from '../platform/telemetry/log.js'
import type { TrainerInfo } from '../proto/heddle/node/v1/train-messages.js'

const LOOK_MS = 1000
/** The interval for a node that can't train: a newer release may start there. */
const LOOK_AGAIN_MS = 15_000

interface Known {
  client: TrainClient
  info: TrainerInfo | undefined
  /** the job that this worker gave it */
  job: string | undefined
}

/** A node reserved for one job. */
export interface AcquiredNode {
  client: TrainClient
  release: () => void
}

export class TrainNodes {
  private readonly nodes: Known[]
  private readonly stopping = new AbortController()
  private readonly watching: Promise<void>[] = []

  /** @param changed called when a node may have become free */
  constructor(
    addresses: readonly string[],
    access: NodeAccess,
    private readonly log: Log,
    private readonly changed: () => void,
  ) {
    this.nodes = addresses.map((address) => ({
      client: new TrainClient(address, access),
      info: undefined,
      job: undefined,
    }))
  }

  start(): void {
    for (const node of this.nodes) this.watching.push(this.watch(node))
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.watching)
    for (const { client } of this.nodes) client.close()
  }

  /** Counts nodes that are up and train. */
  get up(): number {
    return this.nodes.filter(({ info }) => info).length
  }

  /** @returns why no node is free for a job of this base model; undefined if one is */
  lack(model: string, job: string): string | undefined {
    const able = this.nodes.filter(({ info }) => info?.model === model)
    if (able.length === 0)
      return `No node that trains ${model} is up; start one, or name it in HEDDLE_TRAIN_NODES. The job waits.`
    return able.some((node) => isFree(node, job))
      ? undefined
      : `Every node that trains ${model} is busy. The job waits.`
  }

  /** Takes a free node for a job, preferring the one that still has it. */
  take(model: string, job: string): AcquiredNode | undefined {
    const free = this.nodes.filter((node) => node.info?.model === model && isFree(node, job))
    const node = free.find(({ info }) => info?.jobId === job) ?? free[0]
    if (!node) return undefined
    node.job = job
    return {
      client: node.client,
      release: () => {
        node.job = undefined
        // The job id that the node reported before is out of date.
        if (node.info) node.info = { ...node.info, jobId: '' }
        this.changed()
      },
    }
  }

  announced(): TrainerAnnouncement['nodes'] {
    return this.nodes.map(({ client, info, job }) => ({
      address: client.address,
      model: info?.model ?? '',
      devices: info?.devices ?? 0,
      job: job ?? info?.jobId ?? '',
      sharesWithServing: info?.sharesWithServing ?? false,
    }))
  }

  private async watch(node: Known): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      let wait = LOOK_MS
      try {
        const ours = node.job
        const reported = await node.client.info()
        // A report of our own job is no news, and the job may have ended meanwhile.
        const info = reported.jobId === ours ? { ...reported, jobId: '' } : reported
        const news = !node.info || (node.info.jobId !== '' && info.jobId === '')
        if (!node.info)
          this.log.info({ node: node.client.address, model: info.model }, 'a training node is up')
        node.info = info
        if (news) this.changed()
      } catch (error) {
        if (node.info) this.log.warn({ node: node.client.address }, 'a training node is gone')
        node.info = undefined
        if (error instanceof NodeFailure && error.code === 'NODE_TOO_OLD') wait = LOOK_AGAIN_MS
      }
      await pause(wait, undefined, { signal }).catch(() => undefined)
    }
  }
}

function isFree({ info, job: given }: Known, job: string): boolean {
  return given === undefined && (info?.jobId === '' || info?.jobId === job)
}
