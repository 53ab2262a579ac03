/** What one measured read is. */
import type { Chance } from '../load/text.js'

export interface Scenario {
  name: string
  path: string
  /** A request body; drawn anew for every request. */
  body: (chance: Chance) => object
  /** What must come back, so that a fast wrong answer is none: lines, or the count. */
  expects?: number | 'some'
  /** What must have happened before each request; not measured. */
  prepare?: () => Promise<void>
  /** What else is wrong with an answer. */
  problem?: (text: string) => string | undefined
  /** Budget, p50 in ms. */
  target?: number
}
