/** Remembers which node last saw which prompt prefix. Prefixes are hashes. */
import { Lru } from '../platform/lru/lru.js'

const LIMIT = 100_000

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
