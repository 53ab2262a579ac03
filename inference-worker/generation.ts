/**
 * Runs one request that a worker has taken: chooses a node, passes its events on, and tries another node as long as no
 * part of the answer was sent.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatJob, Failed } from '../domain/chat/chat-job.js'
import type { EventStream } from '../domain/nodes/connection.js'
import { NodeFailure } from '../domain/nodes/failure.js'
import { EVENT_TAG, generateEvent, type NodeError } from '../proto/heddle/node/v1/messages.js'
import type { Node } from './node.js'
import type { ResponseStream } from './response-stream.js'

/** Values of google.rpc.Code. */
const RESOURCE_EXHAUSTED = 8
const INTERNAL = 13
const UNAVAILABLE = 14

/** How long full nodes, and nodes with another transient error, are retried. */
const FULL_MS = 30_000
const UNABLE_MS = 5_000
const LOOK_AGAIN_MS = 100

export interface Nodes {
  /** @returns the best ready node for the job that is not in `without`; undefined if there is none */
  pick(job: ChatJob, without: ReadonlySet<Node>): Node | undefined
  /** Notes that `node` has begun to answer the job. */
  took(job: ChatJob, node: Node): void
}

const NONE: ReadonlySet<Node> = new Set()

/**
 * Engines that may end over one request. Whatever else was in flight at the first is innocent, so each request gets one more
 * node; one that kills engines ends two of them and not all.
 */
const MOST_DEATHS = 2

/**
 * Answers `job` with a node's events, or with the reason for failure. If no node is ready, the job goes back to the
 * queue, where any worker can take it; its sender knows the deadline.
 */
export async function generate(job: ChatJob, nodes: Nodes, response: ResponseStream): Promise<void> {
  const began = performance.now()
  let tried = new Set<Node>()
  /** nodes that failed on this job and would fail again */
  const faults = new Map<Node, NodeFailure>()
  let last: NodeFailure | undefined
  let deaths = job.deaths ?? 0
  while (!response.over) {
    if (Date.now() >= job.deadline) return response.failed(tooLate)
    const node = nodes.pick(job, tried)
    if (!node) {
      if (!nodes.pick(job, NONE))
        return response.failed(last ? { ...failedOf(last, false), retriable: true } : noNode)
      if (!nodes.pick(job, new Set(faults.keys())))
        return response.failed({ ...failedOf([...faults.values()].pop()!, false), retriable: false })
      const patience = last?.status === RESOURCE_EXHAUSTED ? FULL_MS : UNABLE_MS
      if (last && performance.now() - began > patience) return response.failed(givenUp(last))
      tried = new Set(faults.keys())
      await pause(LOOK_AGAIN_MS)
      continue
    }
    const outcome = await attempt(job, node, nodes, response)
    if (outcome === 'over') return
    if (outcome.isSuspect && ++deaths >= MOST_DEATHS) return response.failed(poison)
    // The adapter was evicted: the same node loads it again.
    if (outcome.code === 'ADAPTER_NOT_LOADED' && last?.code !== outcome.code) node.dropped(job.adapter?.id)
    else tried.add(node)
    if (outcome.status === INTERNAL) faults.set(node, outcome)
    last = outcome
  }
}

/** Runs the job on `node`. @returns why another node should be tried, or 'over' when nothing is left to do */
async function attempt(
  job: ChatJob,
  node: Node,
  nodes: Nodes,
  response: ResponseStream,
): Promise<NodeFailure | 'over'> {
  let begun = false
  let done = false
  let paused = false
  let stream: EventStream | undefined
  let stopWaiting: (() => void) | undefined
  // A request that hasn't begun here need not wait until a training job ends.
  const stay = node.whenPaused(() => {
    paused = true
    stopWaiting?.()
    stream?.cancel()
  })
  node.active++
  try {
    if (job.adapter && !node.holds(job.adapter.id)) {
      // Loading goes on without us: other requests may need the adapter.
      const left = new Promise<void>((resolve) => {
        response.cancelled = stopWaiting = resolve
      })
      await Promise.race([loadAdapter(job.adapter, node), left])
    }
    if (response.over) return 'over'
    if (paused) return NodeFailure.paused()
    const started = performance.now()
    const request = Buffer.from(job.generate, 'base64')
    stream = job.embeds ? node.embed(request, job.deadline) : node.generate(request, job.deadline)
    response.cancelled = () => stream?.cancel()
    for await (const bytes of stream) {
      const kind = bytes[0]
      if (kind === EVENT_TAG.error) throw failureOf(generateEvent.decode(bytes).error!)
      if ((kind === EVENT_TAG.delta || kind === EVENT_TAG.embedding) && !begun) {
        begun = true
        stay()
        nodes.took(job, node)
        if (!job.embeds) node.firstTokens.add(performance.now() - started)
      }
      const full = response.event(bytes)
      if (full) await full
      // Read the stream to its end: cancelling it costs both sides more.
      if (kind === EVENT_TAG.done) done = true
    }
    if (done) return 'over'
    throw NodeFailure.lost()
  } catch (error) {
    if (done || response.over) return 'over'
    if (paused && !begun) return NodeFailure.paused()
    if (!(error instanceof NodeFailure)) throw error
    if (error.unhealthy) node.markUnhealthy(error)
    if (!begun && (error.elsewhere || error.code === 'ADAPTER_NOT_LOADED')) return error
    response.failed(failedOf(error, begun))
    return 'over'
  } finally {
    stay()
    response.cancelled = undefined
    node.active--
  }
}

async function loadAdapter(
  { id, address, manifest }: NonNullable<ChatJob['adapter']>,
  node: Node,
): Promise<void> {
  await node.client.loadAdapter(id, address, manifest)
  node.loaded(id)
}

function failureOf({ code, status, message, field }: NodeError): NodeFailure {
  return new NodeFailure(code, status, message, field === '' ? undefined : field)
}

function failedOf(failure: NodeFailure, begun: boolean): Failed {
  const { code, status, field } = failure
  const lost = code === 'NODE_LOST' || code === 'UNHEALTHY' || code === 'ENGINE_DIED'
  const message = lost
    ? 'The model node died in the middle of the answer; send the request again.'
    : failure.message
  return {
    code,
    status,
    message,
    ...(field !== undefined && { field }),
    retriable: !begun && failure.elsewhere,
  }
}

/** Every node was tried and none could take the request. */
function givenUp(last: NodeFailure): Failed {
  const full = last.status === RESOURCE_EXHAUSTED
  const message = full
    ? 'Every node of this model is full; send the request again later.'
    : 'No node of this model could take the request; send it again later.'
  return {
    code: full ? 'NODES_FULL' : 'NO_NODE',
    status: full ? RESOURCE_EXHAUSTED : UNAVAILABLE,
    message,
    retriable: false,
  }
}

const poison: Failed = {
  code: 'POISON',
  status: INTERNAL,
  message: 'The engines of two model nodes ended while they worked on this request; it is not tried again.',
  retriable: false,
}

const noNode: Failed = {
  code: 'NO_NODE',
  status: UNAVAILABLE,
  message: 'No node that serves this model is up; send the request again later.',
  retriable: true,
}

const tooLate: Failed = {
  code: 'TOO_LATE',
  status: 4,
  message: 'The request waited longer than its deadline.',
  retriable: false,
}
