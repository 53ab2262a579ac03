/** Tracks the GPU nodes that train: which are up, which model each trains, and which is free for a job. */
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
  /** the jobs that this worker gave it */
  jobs: Set<string>
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
      jobs: new Set<string>(),
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
      return `No node that trains ${model} is up; start one, or name it in HEDDLE_TRAINING_NODES. The job waits.`
    return able.some((node) => isFree(node, job))
      ? undefined
      : `Every node that trains ${model} is busy. The job waits.`
  }

  /** Takes a free node for a job: the one that still has it, or the one with the fewest jobs. */
  take(model: string, job: string): AcquiredNode | undefined {
    const free = this.nodes.filter((node) => node.info?.model === model && isFree(node, job))
    const [fewest] = free.sort((a, b) => others(a, job).size - others(b, job).size)
    const node = free.find(({ info }) => info?.jobIds.includes(job)) ?? fewest
    if (!node) return undefined
    node.jobs.add(job)
    return {
      client: node.client,
      release: () => {
        node.jobs.delete(job)
        // What the node reported before is out of date.
        if (node.info) node.info = { ...node.info, jobIds: node.info.jobIds.filter((id) => id !== job) }
        this.changed()
      },
    }
  }

  announced(): TrainerAnnouncement['nodes'] {
    return this.nodes.map(({ client, info, jobs }) => ({
      address: client.address,
      model: info?.model ?? '',
      devices: info?.devices ?? 0,
      job: [...jobs, ...(info?.jobIds ?? [])][0] ?? '',
      sharesWithServing: info?.sharesWithServing ?? false,
    }))
  }

  private async watch(node: Known): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      let wait = LOOK_MS
      try {
        const ours = new Set(node.jobs)
        const reported = await node.client.info()
        // A node of an older release reports its one job alone.
        const all = reported.maxJobs > 0 ? reported.jobIds : [reported.jobId].filter(Boolean)
        // A report of our own jobs is no news, and they may have ended meanwhile.
        const info = { ...reported, jobIds: all.filter((id) => !ours.has(id)) }
        const news = !node.info || node.info.jobIds.length > info.jobIds.length
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

function isFree(node: Known, job: string): boolean {
  return (
    node.info !== undefined && !node.jobs.has(job) && others(node, job).size < Math.max(node.info.maxJobs, 1)
  )
}

/** The other jobs that a node has. */
function others({ info, jobs }: Known, job: string): Set<string> {
  return new Set([...jobs, ...(info?.jobIds ?? [])].filter((id) => id !== job))
}
