/**
 * The GPU nodes that train: which are there, what they train, and which is free for a job. Knows nothing of what jobs
 * are about.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { NodeAccess } from '../domain/nodes/connection.js'
import { NodeFailure } from '../domain/nodes/failure.js'
import { TrainClient } from '../domain/nodes/train-client.js'
import type { TrainerAnnouncement } from '../domain/training/worker-announcement.js'
import type { Log } from '../platform/telemetry/log.js'
import type { TrainerInfo } from '../proto/heddle/node/v1/train-messages.js'

const LOOK_MS = 1000
/** A node that only serves is asked again so seldom: another release may come up there. */
const LOOK_AGAIN_MS = 15_000

interface Known {
  client: TrainClient
  info: TrainerInfo | undefined
  /** the job it was given by us */
  job: string | undefined
}

/** A node that a job has to itself. */
export interface AcquiredNode {
  client: TrainClient
  release: () => void
}

export class TrainNodes {
  private readonly nodes: Known[]
  private readonly stopping = new AbortController()
  private readonly watching: Promise<void>[] = []

  /** @param changed called when one may have become free */
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

  /** Nodes that train. */
  get up(): number {
    return this.nodes.filter(({ info }) => info).length
  }

  /** Why no node can be had for a job of this base model; undefined: one can. */
  lack(model: string, job: string): string | undefined {
    const able = this.nodes.filter(({ info }) => info?.model === model)
    if (able.length === 0)
      return `No node that trains ${model} is up; start one, or name it in HEDDLE_TRAIN_NODES. The job waits.`
    return able.some((node) => isFree(node, job))
      ? undefined
      : `Every node that trains ${model} is busy. The job waits.`
  }

  /** A free node for a job, the one that has it still before others. */
  take(model: string, job: string): AcquiredNode | undefined {
    const free = this.nodes.filter((node) => node.info?.model === model && isFree(node, job))
    const node = free.find(({ info }) => info?.jobId === job) ?? free[0]
    if (!node) return undefined
    node.job = job
    return {
      client: node.client,
      release: () => {
        node.job = undefined
        // What it said of itself before is old.
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
        const said = await node.client.info()
        // Our own job there is no news, and may have ended while the node said so.
        const info = said.jobId === ours ? { ...said, jobId: '' } : said
        const news = !node.info || (node.info.jobId !== '' && info.jobId === '')
        if (!node.info)
          this.log.info({ node: node.client.address, model: info.model }, 'a node that trains is up')
        node.info = info
        if (news) this.changed()
      } catch (error) {
        if (node.info) this.log.warn({ node: node.client.address }, 'a node that trains is gone')
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
