/**
 * One request from the moment a worker has it: a node is chosen, its events are passed on, and another node is tried
 * as long as nothing of an answer has come. Knows nothing of queues.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatJob, Failed } from '../domain/chat/chat-job.js'
import type { EventStream } from '../domain/nodes/connection.js'
import { NodeFailure } from '../domain/nodes/failure.js'
import { EVENT_TAG, generateEvent, type NodeError } from '../proto/heddle/node/v1/messages.js'
import type { Node } from './node.js'
import type { ResponseStream } from './response-stream.js'

/** Numbers of google.rpc.Code. */
const RESOURCE_EXHAUSTED = 8
const INTERNAL = 13
const UNAVAILABLE = 14

/** With every node full, or unable for another passing reason, they are asked again for so long. */
const FULL_MS = 30_000
const UNABLE_MS = 5_000
const LOOK_AGAIN_MS = 100

export interface Nodes {
  /** The best node for the job; undefined if none takes requests that is not in `without`. */
  pick(job: ChatJob, without: ReadonlySet<Node>): Node | undefined
  /** A node has begun with the job. */
  took(job: ChatJob, node: Node): void
}

const NOBODY: ReadonlySet<Node> = new Set()

/**
 * Answers `job` in any case: with the events of a node, or with why there are none. While no node takes requests, the
 * job is given back: it waits in the queue, where any worker can take it, and who sent it knows for how long.
 */
export async function generate(job: ChatJob, nodes: Nodes, response: ResponseStream): Promise<void> {
  const began = performance.now()
  let tried = new Set<Node>()
  /** of nodes that failed at it, and would again */
  const faults = new Map<Node, NodeFailure>()
  let last: NodeFailure | undefined
  while (!response.over) {
    if (Date.now() >= job.deadline) return response.failed(tooLate)
    const node = nodes.pick(job, tried)
    if (!node) {
      if (!nodes.pick(job, NOBODY))
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
    // Loaded once, but gone since: the same node loads it again.
    if (outcome.code === 'ADAPTER_NOT_LOADED' && last?.code !== outcome.code) node.dropped(job.adapter?.id)
    else tried.add(node)
    if (outcome.status === INTERNAL) faults.set(node, outcome)
    last = outcome
  }
}

/** Lets `node` do it. Returns why another one should, or that there is nothing more to do. */
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
  // What has not begun there need not wait until a training job ends.
  const stay = node.whenPaused(() => {
    paused = true
    stream?.cancel()
  })
  node.active++
  try {
    if (job.adapter && !node.holds(job.adapter.id)) await loadAdapter(job.adapter, node, response)
    if (response.over) return 'over'
    if (paused) return NodeFailure.paused()
    const started = performance.now()
    stream = node.generate(Buffer.from(job.generate, 'base64'), job.deadline)
    response.cancelled = () => stream?.cancel()
    for await (const bytes of stream) {
      const kind = bytes[0]
      if (kind === EVENT_TAG.error) throw failureOf(generateEvent.decode(bytes).error!)
      if (kind === EVENT_TAG.delta && !begun) {
        begun = true
        stay()
        nodes.took(job, node)
        node.firstTokens.add(performance.now() - started)
      }
      const full = response.event(bytes)
      if (full) await full
      // Read to its end all the same: to break a stream off costs both sides more than to hear that it is over.
      if (kind === EVENT_TAG.done) done = true
    }
    if (done) return 'over'
    throw NodeFailure.lost()
  } catch (error) {
    if (done || response.over) return 'over'
    if (paused && !begun) return NodeFailure.paused()
    if (!(error instanceof NodeFailure)) throw error
    if (error.sick) node.distrust(error)
    if (!begun && (error.elsewhere || error.code === 'ADAPTER_NOT_LOADED')) return error
    response.failed(failedOf(error, begun))
    return 'over'
  } finally {
    stay()
    response.cancelled = undefined
    node.active--
  }
}

/** Resolves when the node has it, or nobody waits any more: it may come from far away, and is of use to others. */
async function loadAdapter(
  { id, address, manifest }: NonNullable<ChatJob['adapter']>,
  node: Node,
  response: ResponseStream,
): Promise<void> {
  const loaded = node.client.loadAdapter(id, address, manifest).then(() => node.loaded(id))
  const left = new Promise<void>((resolve) => {
    response.cancelled = resolve
  })
  await Promise.race([loaded, left])
}

function failureOf({ code, status, message, field }: NodeError): NodeFailure {
  return new NodeFailure(code, status, message, field === '' ? undefined : field)
}

function failedOf(failure: NodeFailure, begun: boolean): Failed {
  const { code, status, field } = failure
  const lost = code === 'NODE_LOST' || code === 'UNHEALTHY'
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

/** Every node was asked and none could. */
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

const noNode: Failed = {
  code: 'NO_NODE',
  status: UNAVAILABLE,
  message: 'No node that serves this model is up; send the request again later.',
  retriable: true,
}

const tooLate: Failed = { code: 'TOO_LATE', status: 4, message: 'It waited too long.', retriable: false }
