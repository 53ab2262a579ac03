/**
 * OTLP request bodies that are built once and stamped before each use: ids, times, the case number and the
 * thread are overwritten in place, so every request holds new spans at about 0.1 µs a span. The texts of a body
 * are unlike those of any other. Field numbers are those of the published protocol.
 */
import { Chance, prose } from './text.js'

/** Spans a trace: one root and its children. */
export const TRACE_SPANS = 10
/** Names that spans have; one of them is picked for each. */
export const OPS = Array.from({ length: 20 }, (_, n) => `step ${n}`)
/** Distinct threads over all spans; only roots have one. */
const THREADS = 10_000

export interface SpanBody {
  bytes: Buffer
  spans: number
  /** For each span the offsets of: trace id, span id, parent id, start, end, case; then the thread. −1: none. */
  offsets: Int32Array
}

const FIELDS = 7
enum Field {
  trace,
  span,
  parent,
  start,
  end,
  number,
  thread,
}

interface Piece {
  parts: Buffer[]
  length: number
  marks: [Field, number][]
}

/**
 * A body of `spans` spans of about 1.2 kB, 12 attributes and 2 events each, from a seed; `project` is entity/project, named in the resource's attributes. */
export function buildBody(spans: number, seed: number, project: string): SpanBody {
  const chance = new Chance(seed)
  const offsets = new Int32Array(spans * FIELDS).fill(-1)
  const [entity = '', name = ''] = project.split('/')
  const resource = [
    attribute('service.name', text('bench')),
    attribute('wandb.entity', text(entity)),
    attribute('wandb.project', text(name)),
  ]
  const pieces = [tagged(1, message(...resource.map((one) => tagged(1, one))))]
  const marked: Piece[] = []
  for (let n = 0; n < spans; n++) marked.push(tagged(2, span(chance, n % TRACE_SPANS === 0)))
  const scope = message(tagged(1, message(tagged(1, text('bench')))), ...marked)
  const whole = tagged(1, message(...pieces, tagged(2, scope)))
  let index = -1
  for (const [field, offset] of whole.marks) {
    if (field === Field.trace) index++
    offsets[index * FIELDS + field] = offset
  }
  return { bytes: Buffer.concat(whole.parts, whole.length), spans, offsets }
}

/**
 * Makes all spans of a body new. `serial` is the number of its first span among all spans ever, `seed` keeps
 * runs apart, `micros` is the start of the first span and `step` the µs between spans.
 */
export function stamp(body: SpanBody, serial: number, seed: number, micros: number, step: number): void {
  const { bytes, offsets, spans } = body
  let root = serial
  for (let n = 0, at = 0; n < spans; n++, at += FIELDS) {
    const own = serial + n
    if (n % TRACE_SPANS === 0) root = own
    let offset = offsets[at + Field.trace]!
    writeId(bytes, offset, root ^ 0x5bd1e995, seed)
    writeId(bytes, offset + 8, root, seed)
    writeId(bytes, offsets[at + Field.span]!, own, seed)
    offset = offsets[at + Field.parent]!
    if (offset !== -1) writeId(bytes, offset, root, seed)
    const start = micros + n * step
    writeNanos(bytes, offsets[at + Field.start]!, start)
    writeNanos(bytes, offsets[at + Field.end]!, start + 1_000 + (mix(own) & 0x3fffff))
    writeDigits(bytes, offsets[at + Field.number]!, own, 10)
    offset = offsets[at + Field.thread]!
    if (offset !== -1) writeDigits(bytes, offset, mix(own) % THREADS, 5)
  }
}

/** The id that {@link stamp} gives to the span with this number, as 16 hex digits. */
export function spanId(serial: number, seed: number): string {
  const bytes = Buffer.alloc(8)
  writeId(bytes, 0, serial, seed)
  return bytes.toString('hex')
}

/** The id of the trace of the span with this number; bodies must begin at multiples of {@link TRACE_SPANS}. */
export function traceId(serial: number, seed: number): string {
  const root = serial - (serial % TRACE_SPANS)
  const bytes = Buffer.alloc(16)
  writeId(bytes, 0, root ^ 0x5bd1e995, seed)
  writeId(bytes, 8, root, seed)
  return bytes.toString('hex')
}

/** The thread of the trace of the span with this number; bodies must begin at multiples of {@link TRACE_SPANS}. */
export function threadOf(serial: number): string {
  const root = serial - (serial % TRACE_SPANS)
  return `thread-${String(mix(root) % THREADS).padStart(5, '0')}`
}

/** The text at `inputs.input\.value.case` of the span with this number. */
export function caseOf(serial: number): string {
  return String(serial).padStart(10, '0')
}

function span(chance: Chance, root: boolean): Piece {
  const who = root
    ? attribute('gen_ai.conversation.id', text('thread-'), blank(Field.thread, 5))
    : attribute('gen_ai.agent.name', text(`agent-${chance.below(50)}`))
  return message(
    tagged(1, blank(Field.trace, 16)),
    tagged(2, blank(Field.span, 8)),
    ...(root ? [] : [tagged(4, blank(Field.parent, 8))]),
    tagged(5, text(OPS[chance.below(OPS.length)]!)),
    varint(6, 3),
    fixed(7, blank(Field.start, 8)),
    fixed(8, blank(Field.end, 8)),
    ...[
      who,
      attribute('gen_ai.operation.name', text('chat')),
      attribute('gen_ai.provider.name', text('local')),
      attribute('gen_ai.request.model', text(`model-${chance.below(4)}`)),
      attribute('gen_ai.response.model', text(`model-${chance.below(4)}-2026`)),
      attributeOf('gen_ai.request.temperature', fixed(4, double(chance.below(100) / 100))),
      attributeOf('gen_ai.usage.input_tokens', varint(3, chance.below(4_000))),
      attributeOf('gen_ai.usage.output_tokens', varint(3, chance.below(1_000))),
      attribute(
        'input.value',
        text('{"case":"'),
        blank(Field.number, 10),
        text(`","question":"${prose(chance, 260)}"}`),
      ),
      attribute('output.value', text(`{"answer":"${prose(chance, 220)}","score":0.${chance.below(1_000)}}`)),
      attribute('enduser.id', text(`user-${chance.below(5_000)}`)),
      attribute('deployment.region', text(`region-${chance.below(5)}`)),
    ].map((piece) => tagged(9, piece)),
    event(chance, 'prompt.sent'),
    event(chance, 'first.token'),
    tagged(15, message(varint(3, 1))),
  )
}

function event(chance: Chance, name: string): Piece {
  const time = Buffer.alloc(8)
  time.writeBigUInt64LE(1_780_000_000_000_000_000n)
  return tagged(
    11,
    message(
      fixed(1, raw(time)),
      tagged(2, text(name)),
      tagged(3, attribute('note', text(prose(chance, 40)))),
    ),
  )
}

function attribute(key: string, ...value: Piece[]): Piece {
  return attributeOf(key, tagged(1, message(...value)))
}

function attributeOf(key: string, value: Piece): Piece {
  return message(tagged(1, text(key)), tagged(2, value))
}

function raw(bytes: Buffer): Piece {
  return { parts: [bytes], length: bytes.length, marks: [] }
}

function text(value: string): Piece {
  return raw(Buffer.from(value))
}

function double(value: number): Piece {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return raw(bytes)
}

/** Bytes to be stamped later. */
function blank(what: Field, length: number): Piece {
  return { parts: [Buffer.alloc(length, 0x30)], length, marks: [[what, 0]] }
}

function message(...pieces: Piece[]): Piece {
  const joined: Piece = { parts: [], length: 0, marks: [] }
  for (const piece of pieces) {
    for (const [what, offset] of piece.marks) joined.marks.push([what, joined.length + offset])
    for (const part of piece.parts) joined.parts.push(part)
    joined.length += piece.length
  }
  return joined
}

function tagged(field: number, piece: Piece): Piece {
  return message(raw(Buffer.from([(field << 3) | 2, ...varintBytes(piece.length)])), piece)
}

function fixed(field: number, piece: Piece): Piece {
  return message(raw(Buffer.from([(field << 3) | 1])), piece)
}

function varint(field: number, value: number): Piece {
  return raw(Buffer.from([field << 3, ...varintBytes(value)]))
}

function varintBytes(value: number): number[] {
  const bytes = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}

/** A bijection of 32-bit numbers that looks like chance. */
function mix(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

function writeId(bytes: Buffer, at: number, serial: number, seed: number): void {
  writeWord(bytes, at, mix(serial))
  writeWord(bytes, at + 4, mix((serial ^ seed) + 0x9e3779b9))
}

function writeWord(bytes: Buffer, at: number, word: number): void {
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}

/** µs since the epoch as little-endian ns: the product needs more than 53 bits, so it is made of two halves. */
function writeNanos(bytes: Buffer, at: number, micros: number): void {
  const high = Math.floor(micros / 4294967296)
  const low = (micros - high * 4294967296) * 1000
  const carry = Math.floor(low / 4294967296)
  let word = (low - carry * 4294967296) >>> 0
  for (let n = 0; n < 4; n++, word >>>= 8) bytes[at + n] = word
  word = (high * 1000 + carry) >>> 0
  for (let n = 4; n < 8; n++, word >>>= 8) bytes[at + n] = word
}

function writeDigits(bytes: Buffer, at: number, value: number, digits: number): void {
  let rest = value
  for (let n = at + digits - 1; n >= at; n--) {
    const next = Math.floor(rest / 10)
    bytes[n] = 48 + rest - next * 10
    rest = next
  }
}
