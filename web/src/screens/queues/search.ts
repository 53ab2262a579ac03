/** What the address of a queue says. Pure. */

export interface QueueSearch {
  /** the item that is open */
  item?: string
  /** items are done when who is signed in is done with them, not when anybody is */
  own?: boolean
}

/** Takes what is known from an address. */
export const readQueueSearch = ({ item, own }: Record<string, unknown>): QueueSearch => ({
  ...(typeof item === 'string' && { item }),
  ...(own === true && { own }),
})
