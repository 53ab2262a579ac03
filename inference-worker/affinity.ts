/** Which node last saw which beginning of a prompt. Knows nothing of prompts: beginnings come as hashes. */
import { Lru } from '../platform/lru/lru.js'

const LIMIT = 100_000

export class Affinity {
  private readonly nodes: Lru<string>

  constructor(limit = LIMIT) {
    this.nodes = new Lru(limit)
  }

  /** Remembers that `node` has seen the prompt with these beginnings. */
  note(prefixes: readonly string[], node: string): void {
    for (const prefix of prefixes) this.nodes.set(prefix, node)
  }

  /** The longest part of the prompt that `node` has seen: 0 to 1. @param prefixes longer and longer */
  seen(prefixes: readonly string[], node: string): number {
    for (let i = prefixes.length; i > 0; i--)
      if (this.nodes.get(prefixes[i - 1]!) === node) return i / prefixes.length
    return 0
  }
}
