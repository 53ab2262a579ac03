/** What is wrong with a JSON text, and where. Knows nothing of requests or answers. */

/** A text that is not JSON as RFC 8259 has it, or nested too deep. `offset` counts bytes from the start of the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError'

  constructor(
    readonly problem: string,
    readonly offset: number,
  ) {
    super(`${problem} at byte ${offset}`)
  }
}
