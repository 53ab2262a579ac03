/**
 * What this folder needs of an HTTP server: uWebSockets.js, whose objects are of these types as they are, or `node:http`.
 * A request can be read in the tick of its handler alone, which also says who wants its body.
 */

/** A request's first line and headers. */
export interface Incoming {
  /** in lower case */
  getMethod(): string
  /** the path as it was sent */
  getUrl(): string
  /** what is behind the question mark; empty: nothing */
  getQuery(): string
  /** '' if it was not sent; of names in lower case */
  getHeader(name: string): string
  forEach(see: (name: string, value: string) => void): void
  /** the named segment at this place of the pattern, as sent */
  getParameter(index: number): string | undefined
}

/** A request's body and its answer. Nothing but what `onAborted` was given is called once the caller has left. */
export interface Outgoing {
  onAborted(act: () => void): unknown
  /** @param take gets pieces that are valid until it returns */
  onData(take: (piece: ArrayBuffer | Uint8Array, last: boolean) => void): unknown
  /** stops reading from the connection */
  pause(): void
  resume(): void
  /** sends what `write` writes in as few packets as possible */
  cork(write: () => void): unknown
  writeStatus(line: string): unknown
  writeHeader(name: string, value: string): unknown
  /** @returns false: wait for `onWritable` */
  write(chunk: string | Uint8Array): boolean
  onWritable(act: () => boolean): unknown
  /** @param close ends the connection with the answer */
  end(body?: string | Uint8Array, close?: boolean): unknown
  /**
   * Ends the answer if the connection takes all of `rest`, else wait for `onWritable`.
   * @param length of the whole body
   * @returns the second is true: it has ended
   */
  tryEnd(rest: Uint8Array, length: number): readonly [boolean, boolean]
  /** Bytes of the body that the connection has taken. */
  getWriteOffset(): number
  /** @param length what the body of an answer to GET would have; undefined: not known */
  endWithoutBody(length?: number, close?: boolean): unknown
  /** ends the connection now */
  close(): unknown
  getRemoteAddressAsText(): ArrayBuffer | Uint8Array
}

export type Handler = (res: Outgoing, req: Incoming) => void
export const HANDLED = ['get', 'head', 'post', 'put', 'patch', 'del', 'any'] as const

export interface HttpServer
  extends Record<(typeof HANDLED)[number], (pattern: string, handle: Handler) => void> {
  /** Open connections. */
  readonly connections: number
  /** @returns the port; undefined if it is taken */
  listen(host: string, port: number): Promise<number | undefined>
  /** Ends all connections. */
  close(): void
}
