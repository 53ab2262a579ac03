/** What can be wrong with an export: its bytes as a whole, or one span. */

/** The bytes are no message of this kind: the whole request is refused. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage'
}

/** One span can't be stored; the message says why, and its neighbours are. */
export class BadSpan extends Error {
  override readonly name = 'BadSpan'
}
