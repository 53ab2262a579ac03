/**
 * Detects whether a call's usage repeats that of the calls below it. Instrumentations repeat the usage of an agent's or
 * a loop's model calls on its own span: of all of them, of its children, or of the last one only. The check compares
 * tokens summed over models, since the two levels often name the model differently. Pure.
 */
import type { UsageByModel } from './tally.js'

/** Tokens of all models together. */
export interface Tokens {
  prompt: number
  completion: number
  total: number
}

const NONE: Tokens = { prompt: 0, completion: 0, total: 0 }

/** The reported usage of one call's children. */
export class Reported {
  /** of the children and everything below them */
  below = NONE
  private children = NONE
  private readonly each = new Set<string>()

  /** @param own the child's own usage @param total the same with everything below the child */
  add(own: Tokens, total: Tokens): void {
    this.children = sumOf(this.children, own)
    this.below = sumOf(this.below, total)
    this.each.add(keyOf(total))
  }

  /** Whether these are the tokens of all that is below. */
  isAll(tokens: Tokens): boolean {
    return keyOf(tokens) === keyOf(this.below)
  }

  /** Whether a call with these tokens repeats its children's. Without tokens it can't be known. */
  has(tokens: Tokens): boolean {
    const key = keyOf(tokens)
    return key !== '' && (key === keyOf(this.below) || key === keyOf(this.children) || this.each.has(key))
  }
}

export function tokensOf(usage: UsageByModel): Tokens {
  let sum = NONE
  for (const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } of usage.values())
    if (total > 0) sum = sumOf(sum, { prompt, completion, total })
  return sum
}

export function hasTokens({ total }: Tokens): boolean {
  return total > 0
}

export function sumOf(a: Tokens, b: Tokens): Tokens {
  return { prompt: a.prompt + b.prompt, completion: a.completion + b.completion, total: a.total + b.total }
}

/** Equal for equal usage. Totals count only where the parts are not known, since some clients leave them out. */
function keyOf({ prompt, completion, total }: Tokens): string {
  if (prompt + completion > 0) return `${prompt}+${completion}`
  return total > 0 ? `${total}` : ''
}
