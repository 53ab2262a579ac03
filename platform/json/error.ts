/** The text is not JSON (RFC 8259), or nested too deep. `offset` counts bytes from the start of the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError'

  constructor(
    readonly problem: string,
    readonly offset: number,
  ) {
    super(`${problem} at byte ${offset}`)
  }
}
