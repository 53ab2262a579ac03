/** What model nodes say of themselves, and the listings made of it. Pure; where announcements come from is not known here. */
import { groupBy } from '../../platform/batch/group-by.js'

/** A model that a node serves. */
export interface ServedModel {
  id: string
  /** false: it makes embeddings */
  chats: boolean
  contextLength: number | null
  /** whether it takes adapters */
  adapters: boolean
  requestsRunning: number
  /** last minute; null: nothing was generated */
  tokensPerSecond: number | null
  timeToFirstTokenMs: number | null
}

/** A node that is up. */
export interface ModelNode {
  id: string
  /** Unix seconds */
  upSince: number
  accelerator: string
  accelerators: number
  memoryBytes: number
  models: readonly ServedModel[]
}

/** The nodes that are up now. */
export type ModelNodes = () => Promise<readonly ModelNode[]>

/** Each served model with the nodes that serve it, by id. */
function byModel(nodes: readonly ModelNode[]) {
  const served = nodes.flatMap((node) => node.models.map((model) => ({ node, model })))
  return [...groupBy(served, ({ model }) => model.id)].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The models that chat: the pages and the SDKs choose from them. */
export function routerList(nodes: readonly ModelNode[]) {
  const chatting = byModel(nodes).filter(([, served]) => served.every(({ model }) => model.chats))
  const data = chatting.map(([id, served]) => {
    const lengths = served.flatMap(({ model }) => (model.contextLength === null ? [] : [model.contextLength]))
    return {
      id,
      object: 'model' as const,
      created: Math.min(...served.map(({ node }) => node.upSince)),
      owned_by: 'heddle',
      // A request may come to any of its nodes.
      context_length: lengths.length > 0 ? Math.min(...lengths) : null,
      adapters: served.some(({ model }) => model.adapters),
      nodes: served.length,
    }
  })
  return { object: 'list' as const, data }
}

export function hardwareList(nodes: readonly ModelNode[]) {
  const kinds = groupBy(
    nodes,
    ({ accelerator, accelerators, memoryBytes }) => `${accelerator}-x${accelerators}-${memoryBytes}`,
  )
  const data = [...kinds.values()].map((alike) => {
    const { accelerator, accelerators, memoryBytes } = alike[0]!
    return {
      id: `${accelerator}-x${accelerators}`,
      object: 'hardware' as const,
      accelerator,
      count: accelerators,
      memory_bytes: memoryBytes,
      nodes: alike.length,
    }
  })
  return { object: 'list' as const, data: data.sort((a, b) => (a.id < b.id ? -1 : 1)) }
}

export function analysisList(nodes: readonly ModelNode[]) {
  const data = byModel(nodes).map(([id, served]) => {
    const speeds = served.flatMap(({ model }) => model.tokensPerSecond ?? [])
    const waits = served.flatMap(({ model }) => model.timeToFirstTokenMs ?? [])
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
    return {
      id,
      object: 'model.analysis' as const,
      nodes: served.length,
      requests_running: sum(served.map(({ model }) => model.requestsRunning)),
      tokens_per_second: speeds.length > 0 ? sum(speeds) : null,
      time_to_first_token_ms: waits.length > 0 ? sum(waits) / waits.length : null,
    }
  })
  return { object: 'list' as const, data }
}
