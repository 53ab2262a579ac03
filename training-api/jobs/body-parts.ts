/**
 * Splits a JSON object as its bytes arrive: each field whole, except one long list, which comes element by element so
 * that only one is held. Checks only where values begin and end; the caller parses them.
 */
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { errors } from '../../platform/errors/catalog.js'

export interface Part {
  field: string
  /** the element's index in the list; undefined: `bytes` are the whole field */
  index: number | undefined
  bytes: Buffer
}

export interface PartLimits {
  /** the most bytes of any field but the list */
  field: number
  element: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

type State =
  | 'start'
  | 'key or end'
  | 'key'
  | 'in key'
  | 'colon'
  | 'value'
  | 'in value'
  | 'after value'
  | 'element or end'
  | 'element'
  | 'after element'
  | 'end'

/**
 * Yields the parts in order. An empty list is one part, `[]`.
 * @param list the field whose elements come one by one
 * @throws `BAD_BODY` (400) if the body is not a JSON object, `TOO_LARGE` (413) for a part over its limit
 */
export async function* bodyParts(
  chunks: AsyncIterable<Uint8Array>,
  list: string,
  limits: PartLimits,
): AsyncGenerator<Part> {
  const reader = new Reader(list, limits)
  for await (const chunk of chunks) yield* reader.read(bufferOf(chunk))
  reader.finish()
}

class Reader {
  private state: State = 'start'
  private field = ''
  private index: number | undefined
  private pieces: Buffer[] = []
  private size = 0
  /** open brackets in the current value, and whether a string is open in it */
  private depth = 0
  private inString = false
  private escaped = false
  private ended = false

  constructor(
    private readonly list: string,
    private readonly limits: PartLimits,
  ) {}

  *read(chunk: Buffer): Generator<Part> {
    let at = 0
    while (at < chunk.length) {
      if (this.state === 'in value' || this.state === 'in key') {
        const from = at
        at = this.walk(chunk, at)
        this.keep(chunk.subarray(from, at))
        if (!this.ended) continue
        const part = this.close()
        if (part) yield part
        continue
      }
      const byte = chunk[at]!
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at++
      else at += this.step(byte)
      if (this.state === 'element or end' && byte === CLOSE_LIST) {
        this.state = 'after value'
        this.index = undefined
        yield { field: this.field, index: undefined, bytes: Buffer.from('[]') }
      }
    }
  }

  finish(): void {
    if (this.state !== 'end') throw errors.badBody('the JSON object is incomplete')
  }

  /** Takes one byte between values. @returns how many bytes were used */
  private step(byte: number): number {
    switch (this.state) {
      case 'start':
        return this.expect(byte === OPEN_OBJECT, 'key or end')
      case 'key or end':
        if (byte === CLOSE_OBJECT) return this.expect(true, 'end')
        return this.begin(byte === QUOTE, 'in key')
      case 'key':
        return this.begin(byte === QUOTE, 'in key')
      case 'colon':
        return this.expect(byte === COLON, 'value')
      case 'value':
        if (this.field === this.list && byte === OPEN_LIST) {
          this.index = 0
          return this.expect(true, 'element or end')
        }
        return this.begin(true, 'in value')
      case 'element or end':
        // The caller handles the end of the list.
        return byte === CLOSE_LIST ? 1 : this.begin(true, 'in value')
      case 'element':
        return this.begin(byte !== CLOSE_LIST, 'in value')
      case 'after element':
        if (byte === COMMA) return this.expect(true, 'element')
        this.index = undefined
        return this.expect(byte === CLOSE_LIST, 'after value')
      case 'after value':
        if (byte === COMMA) return this.expect(true, 'key')
        return this.expect(byte === CLOSE_OBJECT, 'end')
      default:
        throw errors.badBody('there is data after the JSON object')
    }
  }

  private expect(fits: boolean, next: State): number {
    if (!fits) throw errors.badBody('it is not a JSON object')
    this.state = next
    return 1
  }

  /** Begins a value or key at the current byte. */
  private begin(fits: boolean, next: State): number {
    this.expect(fits, next)
    this.pieces = []
    this.size = 0
    this.depth = 0
    this.inString = false
    this.escaped = false
    this.ended = false
    return 0
  }

  /** Reads on within a value. @returns the end of the value or of the chunk */
  private walk(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.inString) {
        if (this.escaped) this.escaped = false
        else if (byte === BACKSLASH) this.escaped = true
        else if (byte === QUOTE) {
          this.inString = false
          if (this.depth === 0) return this.end(at + 1)
        }
      } else if (byte === QUOTE) this.inString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.depth++
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        // The enclosing object or list ends here, and with it a number or literal.
        if (this.depth === 0) return this.end(at)
        this.depth--
        if (this.depth === 0) return this.end(at + 1)
      } else if (this.depth === 0 && (byte === COMMA || byte <= 0x20)) return this.end(at)
    }
    return chunk.length
  }

  private end(at: number): number {
    this.ended = true
    return at
  }

  private keep(piece: Buffer): void {
    this.size += piece.length
    const limit = this.index === undefined ? this.limits.field : this.limits.element
    if (this.size > limit) throw errors.tooLarge()
    // The next chunk reuses this chunk's memory.
    this.pieces.push(this.ended ? piece : Buffer.from(piece))
  }

  /** Ends a value or key. */
  private close(): Part | undefined {
    const bytes = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces)
    this.pieces = []
    if (bytes.length === 0) throw errors.badBody('a value is missing')
    if (this.state === 'in key') {
      this.field = keyOf(bytes)
      this.state = 'colon'
      return undefined
    }
    if (this.index === undefined) {
      this.state = 'after value'
      return { field: this.field, index: undefined, bytes }
    }
    this.state = 'after element'
    return { field: this.field, index: this.index++, bytes }
  }
}

function keyOf(bytes: Buffer): string {
  try {
    return String(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw errors.badBody('a key is not a JSON string')
  }
}
