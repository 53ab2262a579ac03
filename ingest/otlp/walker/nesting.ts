/** How attributes nest as JSON text: what the plan of a message's keys and the text made by it have in common. */

/** A position in the nested text: `offset` bytes after the beginning of a piece's literal. */
export interface LiteralOffset {
  readonly piece: number
  readonly offset: number
}

/** How the attributes of a message nest as JSON text: piece by piece a literal, then a value; a literal at the end. */
export interface Nesting {
  readonly literals: DataView
  /** Where each piece's literal ends in `literals`; one more than there are values. */
  readonly ends: Int32Array
  /** The attribute whose value follows each literal. */
  readonly values: Int32Array
  /** By attribute, 1 if its key is a credential's. */
  readonly secret: Uint8Array
  /** By attribute, 1 if its text is JSON even where that is a string. */
  readonly isJson: Uint8Array
}
