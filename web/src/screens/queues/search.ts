/** What the address of a queue says. Pure. */
import { textsOf } from '../../app/search-text'

export interface QueueSearch {
  /** the item that is open */
  item?: string
  /** items are done when who is signed in is done with them, not when anybody is */
  own?: boolean
}

/** Takes what is known from an address. */
export const readQueueSearch = ({ own, ...given }: Record<string, unknown>): QueueSearch => ({
  ...textsOf(given, ['item']),
  ...(own === true && { own }),
})
