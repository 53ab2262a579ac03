/** What the address of the playground holds: what to begin with. Pure. */
import { textsOf } from '../../app/search-text'

export interface PlaygroundSearch {
  /** id of the call to try again */
  call?: string | undefined
  /** id and digest of a prompt object, with a colon between them */
  prompt?: string | undefined
  /** a model's name */
  model?: string | undefined
  /** a second model, to compare with */
  beside?: string | undefined
}

const NAMES = ['call', 'prompt', 'model', 'beside'] as const

export const readPlaygroundSearch = (given: Record<string, unknown>): PlaygroundSearch =>
  textsOf(given, NAMES)
