/**
 * Chooses a node for a request: the one that holds its adapter and its prompt's prefix, unless another is much less
 * loaded. And remembers which node saw which prefix.
 */
import { Lru } from '../platform/lru/lru.js'

export interface Candidate {
  /** running and waiting requests, divided by the node's slots; 1: full */
  load: number
  /** the node holds the request's adapter, or the request needs none */
  adapter: boolean
  /** the share of the prompt that is probably in the node's KV cache, 0 to 1 */
  prefix: number
}

/** How much extra load outweighs a loaded adapter, or a cached prompt. */
const ADAPTER_WORTH = 0.5
const PREFIX_WORTH = 0.4
/** A full node makes the request wait, which outweighs nearly everything else. */
const FULL_COST = 1

/** @returns the best of `candidates`, the first of equals; undefined if there are none */
export function choose<C extends Candidate>(candidates: readonly C[]): C | undefined {
  let best: C | undefined
  for (const candidate of candidates) if (!best || cost(candidate) < cost(best)) best = candidate
  return best
}

function cost({ load, adapter, prefix }: Candidate): number {
  return load + (load >= 1 ? FULL_COST : 0) - (adapter ? ADAPTER_WORTH : 0) - PREFIX_WORTH * prefix
}

/** Prefixes that are remembered. */
const LIMIT = 100_000

/** Remembers which node last saw which prompt prefix. Prefixes are hashes. */
export class Affinity {
  private readonly nodes: Lru<string>

  constructor(limit = LIMIT) {
    this.nodes = new Lru(limit)
  }

  /** Remembers that `node` has seen a prompt with these prefixes. */
  note(prefixes: readonly string[], node: string): void {
    for (const prefix of prefixes) this.nodes.set(prefix, node)
  }

  /** @returns the share of the prompt that `node` has seen, 0 to 1 @param prefixes shortest first */
  seen(prefixes: readonly string[], node: string): number {
    for (let i = prefixes.length; i > 0; i--)
      if (this.nodes.get(prefixes[i - 1]!) === node) return i / prefixes.length
    return 0
  }
}
