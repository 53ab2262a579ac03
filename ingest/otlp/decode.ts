/**
 * Bodies of OTLP exports to blocks: spans to one of calls, log records to one of what waits for spans. Many requests go
 * into one block, each one's rows side by side; a body that can't be read leaves no row, a span that can't be stored leaves
 * none either and its neighbours stay. Pure: no clock, no socket, no store; runs in a worker thread.
 */
import { type Arrival, AS_SENT } from '../../domain/calls/arrival.js'
import type { CallBlock } from '../../domain/calls/block.js'
import type { RunnableFeedback } from '../../domain/feedback/runnable.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import type { AnyEncoding } from '../../platform/http/inflation.js'
import { REQUEST, RESOURCE_SPANS, SCOPE_SPANS } from '../../proto/otlp/tags.js'
import { BadMessage, BadSpan } from './bad.js'
import { hexAt, writeCall } from './call.js'
import { EvaluationResults, isJudgement, MAX_RESULTS } from './evaluation-results.js'
import { escapesIn, hintsIn, placesOf } from './hints.js'
import { inflated, TooLarge } from './inflate.js'
import { jsonToProtobuf } from './json.js'
import { MAX_INFLATED, MAX_MESSAGES } from './limits.js'
import { LogRows } from './log-rows.js'
import { type Masking, maskedRequest } from './mask.js'
import { type Project, Projects, type SpanOp } from './projects.js'
import { NO_RESOURCE, NO_SCOPE, type Resource, ResourceReader } from './resource.js'
import { RowMetadata } from './row-metadata.js'
import { Sampling } from './sampling.js'
import { SIGNALS, type Signal } from './signal.js'
import { Span } from './span.js'
import { eventsOf } from './span-events.js'
import { type Origin, originOf } from './span-json.js'
import { SpanTree } from './span-tree.js'
import { microsOfNanos } from './time.js'
import { type Walker, WalkerBroken, walkerFor } from './walker/walker.js'
import { Wire } from './wire.js'

/** One request as it came. */
export interface ExportRequest {
  readonly body: Uint8Array
  readonly encoding: AnyEncoding
  readonly format: 'protobuf' | 'json'
  readonly signal: Signal
  /** `entity/project` of the request's header, for spans whose resource names none. */
  readonly project?: string | undefined
  /** Whether the caller may write to `entity/project`. */
  readonly allowed: (project: string) => boolean
  /** Who calls; stored with every row. */
  readonly userId: string
}

/** Why a whole request was refused, as an HTTP status and a reason for the caller. */
export interface Refusal {
  readonly status: 400 | 403 | 413
  readonly reason: string
}

/** What became of one request. */
export interface ExportResult {
  /** Its rows in the block: how many, all side by side, the requests in order. */
  readonly rows: number
  /** Log records that were taken, and that say nothing about a call or belong to no trace. */
  readonly logs: { readonly taken: number; readonly ignored: number }
  /** Spans or records that were refused. */
  readonly rejected: number
  /** Why spans were rejected, the first 20 reasons. */
  readonly messages: readonly string[]
  /** Spans that were left out as the operator wants it. */
  readonly sampledOut: number
  /** Set if the request as a whole was refused; then it has no rows. */
  readonly refusal?: Refusal
  /** Projects (`entity/project`) that its rows went to. */
  readonly projects: readonly string[]
}

/** What the pipeline has to know of the rows added to a block. */
export interface AddedRows {
  readonly rows: number
  /** Two a row: the hashes of the call's identity (`ingest/pipeline/id-hash.ts`). */
  readonly hashes: Uint32Array<ArrayBuffer>
  /** By row, ms since the epoch before which the call can't have been written: when its span started. */
  readonly born: Float64Array<ArrayBuffer>
  /** By row, the number of its request. */
  readonly requests: Uint32Array<ArrayBuffer>
}

/** What became of a batch; its rows are in the blocks, after those that were there before. */
export interface BatchResult extends AddedRows {
  /** One for each request taken; fewer than were given if the block was full before the last. */
  readonly results: readonly ExportResult[]
  /** The rows of the other block. */
  readonly waiting: AddedRows
  /** How calls were judged, as events say it. */
  readonly feedback: readonly RunnableFeedback[]
  /** The ops that the rows point at, each at least once: objects of these names must exist (`domain/refs/placeholder-op.ts`). */
  readonly ops: readonly SpanOp[]
}

export interface BatchOptions {
  /** Version of the rows, µs since the epoch. */
  readonly ver: number
  /** Bytes that one body may inflate to. */
  readonly maxInflated?: number
  /** Bytes of the block after which no further request is taken. */
  readonly maxBlock?: number
  /** masks texts before anything else is done with them */
  readonly masking?: Masking | undefined
}

const NOBODY = viewOf(Buffer.alloc(0))
const MS = 1000
/** What the spans of a body may grow to, in times of what it may inflate to: an event of two bytes takes 50 as text. */
const GROWTH = 2

/** Decodes batch after batch into `block`; what it learned about keys and names it keeps between them. */
export class OtlpDecoder {
  readonly #block: CallBlock
  readonly #open: CallBlock
  readonly #resources = new ResourceReader()
  readonly #projects = new Projects()
  readonly #rowMetadata = new RowMetadata()
  readonly #openMetadata = new RowMetadata()
  readonly #results = new EvaluationResults()
  readonly #logs: LogRows
  readonly #tree = new SpanTree()
  readonly #sampling: Sampling | undefined
  // The request being read.
  #request: ExportRequest | undefined
  #number = 0
  #ver = 0
  #userId = NOBODY
  /** Where the column of whole spans has to end. */
  #most = 0
  #rejected = 0
  #taken = 0
  #ignored = 0
  #sampledOut = 0
  #messages: string[] = []
  #seen = new Map<string, Project | Refusal>()
  #walker: Walker | undefined
  /** Spans that TypeScript has written, since there is no walker or it left them. */
  unwalked = 0
  #masking: Masking | undefined

  /**
   * The blocks are the caller's: who clears them before a batch and encodes them after.
   * @param walker of the block of calls, writes most of the spans; without it TypeScript writes all
   */
  constructor(
    block: CallBlock,
    open: CallBlock,
    { sampleRate }: Pick<Arrival, 'sampleRate'> = AS_SENT,
    walker?: Walker,
  ) {
    this.#block = block
    this.#open = open
    this.#logs = new LogRows(open, this.#openMetadata, this.#results)
    this.#sampling = sampleRate < 1 ? new Sampling(sampleRate) : undefined
    this.#walker = walker
  }

  /** Appends the rows of `requests`, in order. Takes at least one, and stops when a block is full. */
  decodeBatch(requests: readonly ExportRequest[], options: BatchOptions): BatchResult {
    const { maxInflated = MAX_INFLATED, maxBlock = Number.POSITIVE_INFINITY } = options
    this.#rowMetadata.clear()
    this.#openMetadata.clear()
    this.#projects.beginBatch()
    this.#ver = options.ver
    this.#masking = options.masking
    this.#walker?.beginBatch()
    const results: ExportResult[] = []
    for (const request of requests) {
      const bytes = this.#block.byteLength + this.#open.byteLength
      if (results.length > 0 && bytes >= maxBlock) break
      this.#number = results.length
      results.push(this.#decode(request, maxInflated))
    }
    const waiting = this.#openMetadata.taken()
    const [ops, feedback] = [this.#projects.endBatch(), this.#results.taken()]
    return { results, ...this.#rowMetadata.taken(), waiting, ops, feedback }
  }

  /** Decodes the request; without a walker if that breaks. Another one takes its place then. */
  #decode(request: ExportRequest, maxInflated: number): ExportResult {
    try {
      return this.#decodeOnce(request, maxInflated)
    } catch (error) {
      if (!(error instanceof WalkerBroken)) throw error
      this.#walker = undefined
      const result = this.#decodeOnce(request, maxInflated)
      this.#walker = walkerFor(this.#block)
      this.#walker?.beginBatch()
      return result
    }
  }

  #decodeOnce(request: ExportRequest, maxInflated: number): ExportResult {
    const block = this.#block
    const open = this.#open
    const before = block.mark()
    const openBefore = open.mark()
    const rowsBefore = this.#rowMetadata.count
    const openRowsBefore = this.#openMetadata.count
    this.#request = request
    this.#most = block.otel_span.pos + GROWTH * maxInflated
    const userId = Buffer.from(request.userId)
    this.#userId = viewOf(userId)
    this.#walker?.beginRequest(userId)
    const resultsBefore = this.#results.begin(request.userId)
    this.#rejected = this.#taken = this.#ignored = this.#sampledOut = 0
    this.#messages = []
    this.#seen = new Map()
    try {
      const body = inflated(request.body, request.encoding, maxInflated)
      const { format, signal } = request
      const wire = this.#masked(new Wire(format === 'json' ? this.#converted(body, signal) : body), signal)
      this.#tree.begin(block)
      this.#logs.begin()
      this.#export(wire)
      this.#take()
      this.#tree.inherit(block, wire.buf)
      this.#logs.write(this.#userId, this.#number)
    } catch (error) {
      block.rollback(before)
      this.#rowMetadata.cut(rowsBefore)
      open.rollback(openBefore)
      this.#openMetadata.cut(openRowsBefore)
      this.#results.cut(resultsBefore)
      return this.#refused(refusalOf(error, request.signal))
    }
    const rows = block.rows - before.rows
    const projects = [...this.#seen.values()].filter((project) => 'id' in project)
    const refusals = [...this.#seen.values()].filter((project) => 'reason' in project)
    // Nobody's fault but the address: if no span had a project to go to, the request says so as a whole.
    if (projects.length === 0 && refusals.length > 0) return this.#refused(refusals[0]!)
    return {
      rows,
      logs: { taken: this.#taken, ignored: this.#ignored },
      rejected: this.#rejected,
      messages: this.#messages,
      sampledOut: this.#sampledOut,
      projects: projects.map(({ name }) => name),
    }
  }

  /** The request with its texts masked; the same one if nothing is. @throws BadMessage */
  #masked(wire: Wire, signal: Signal): Wire {
    const masking = this.#masking
    if (masking === undefined || masking.rules.isEmpty) return wire
    return maskedRequest(wire, signal, {
      ...masking,
      projectOf: (from, to) => {
        const resource = unlessBad(() => this.#resources.resource(wire, from, to))
        return (resource instanceof BadSpan ? undefined : resource.project) ?? this.#request!.project ?? ''
      },
      hints: () => this.#walker?.hintsOf(wire) ?? { places: hintsIn(wire.buf), escapes: escapesIn(wire.buf) },
      literal: (one) => this.#walker?.placesOf(wire, one) ?? placesOf(wire.buf, one),
    })
  }

  #converted(json: Buffer, signal: Signal): Buffer {
    const { body, rejected } = jsonToProtobuf(json, signal)
    this.#rejected = rejected.length
    this.#messages = rejected.slice(0, MAX_MESSAGES)
    return body
  }

  #refused(refusal: Refusal): ExportResult {
    const [rejected, messages] = [this.#rejected, this.#messages]
    const logs = { taken: 0, ignored: this.#ignored }
    return { rows: 0, logs, rejected, messages, sampledOut: 0, refusal, projects: [] }
  }

  #export(wire: Wire): void {
    wire.each(0, wire.buf.length, REQUEST.resourceSpans, 'the request', (from, to) =>
      this.#resourceSpans(wire, from, to),
    )
  }

  /** The resource may stand behind its spans, so it is looked for first. */
  #resourceSpans(wire: Wire, from: number, end: number): void {
    const what = 'a block of spans'
    let resource: Resource | BadSpan = NO_RESOURCE
    wire.each(from, end, RESOURCE_SPANS.resource, what, (at, to) => {
      resource = unlessBad(() => this.#resources.resource(wire, at, to))
    })
    wire.each(from, end, RESOURCE_SPANS.scopeSpans, what, (at, to) =>
      this.#scopeSpans(wire, at, to, resource),
    )
  }

  #scopeSpans(wire: Wire, from: number, end: number, ofBlock: Resource | BadSpan): void {
    const what = 'a scope of spans'
    let [scope, resource] = [NO_SCOPE, ofBlock]
    wire.each(from, end, SCOPE_SPANS.scope, what, (at, to) => {
      const read = unlessBad(() => this.#resources.scope(wire, at, to))
      if (read instanceof BadSpan) resource = read
      else scope = read
    })
    const origin = originOf(scope, resource instanceof BadSpan ? NO_RESOURCE : resource)
    if (this.#request!.signal === 'logs')
      wire.each(from, end, SCOPE_SPANS.spans, what, (at, to) => this.#storeLog(wire, at, to, resource))
    else
      wire.each(from, end, SCOPE_SPANS.spans, what, (at, to) =>
        this.#storeSpan(wire, at, to, resource, origin),
      )
  }

  #storeSpan(wire: Wire, from: number, end: number, resource: Resource | BadSpan, origin: Origin): void {
    const project = this.#target(resource)
    const isGood = !(project instanceof BadSpan)
    if (isGood && this.#sampling?.keeps(wire, new Span(wire, from, end), from, end) === false) {
      this.#sampledOut++
      return
    }
    if (isGood) {
      // The walker knows nothing of scopes.
      const isLeft = origin.sums && wire.buf.subarray(from, end).includes('gen_ai.usage.')
      if (!isLeft && this.#walker?.write(wire, from, end, project, origin, this.#take)) return
      this.unwalked++
    }
    this.#take()
    const span = new Span(wire, from, end)
    const block = this.#block
    try {
      if (!isGood) throw project
      const { turn, started } = writeCall(block, wire, span, project, origin, this.#userId, this.#ver)
      this.#rowMetadata.add(block, project, started / MS, this.#number)
      this.#tree.add(block, span, project, turn)
      if (block.otel_span.pos > this.#most) throw new TooLarge('its spans take too much room')
      this.#judge(wire, span, project, started)
    } catch (error) {
      if (!(error instanceof BadSpan)) throw error
      block.dropRow()
      const { from: at, to } = span.spanId
      const id = hexAt(wire.buf, { from: at, to: Math.min(to, at + 8) })
      this.#reject(id === '' ? `span: ${error.message}` : `span ${id}: ${error.message}`)
    }
  }

  /** Takes what the events of the span written last say of it. */
  #judge(wire: Wire, span: Span, { name }: Project, started: number): void {
    const { id } = this.#block
    for (const [event, fields, time] of eventsOf(wire, span, isJudgement)) {
      const judged = {
        project: name,
        traceId: hexAt(wire.buf, span.traceId),
        callId: id.buf.toString('utf8', id.pos - id.lastLength, id.pos),
        at: time < 0 ? started : microsOfNanos(wire.buf, time),
      }
      if (this.#results.add(judged, event, fields)) continue
      const message = `of more than ${MAX_RESULTS} evaluation results the others are only kept with their spans`
      if (!this.#messages.includes(message)) this.#messages.push(message)
      return
    }
  }

  #storeLog(wire: Wire, from: number, end: number, resource: Resource | BadSpan): void {
    try {
      const project = this.#target(resource)
      if (project instanceof BadSpan) throw project
      const became = this.#logs.add(wire, from, end, project, this.#sampling)
      if (became === 'taken') this.#taken++
      else if (became === 'ignored') this.#ignored++
      else this.#sampledOut++
    } catch (error) {
      if (!(error instanceof BadSpan)) throw error
      this.#reject(`log record: ${error.message}`)
    }
  }

  #reject(message: string): void {
    this.#rejected++
    if (this.#messages.length < MAX_MESSAGES) this.#messages.push(message)
  }

  /** The project that what this resource sends goes to, or why it is refused. */
  #target(resource: Resource | BadSpan): Project | BadSpan {
    if (resource instanceof BadSpan) return resource
    const project = this.#project(resource)
    return 'reason' in project ? new BadSpan(project.reason) : project
  }

  /** Moves the rows that the walker has to the block. */
  readonly #take = (): void => {
    this.#walker?.take(this.#rowMetadata, this.#tree, this.#number, this.#ver)
    if (this.#block.otel_span.pos > this.#most) throw new TooLarge('its spans take too much room')
  }

  /** Where a block's spans go: the project its resource names, else the request's. */
  #project(resource: Resource): Project | Refusal {
    const request = this.#request!
    const name = resource.project ?? request.project ?? ''
    let project = this.#seen.get(name)
    if (project === undefined) {
      project = this.#findProject(name, request)
      this.#seen.set(name, project)
    }
    return project
  }

  #findProject(name: string, request: ExportRequest): Project | Refusal {
    if (name === '') {
      return {
        status: 400,
        reason:
          'Name a project: the header project_id (entity/project), or the resource attributes platform.entity and platform.project.',
      }
    }
    const project = this.#projects.get(name)
    if (project === undefined) {
      return { status: 400, reason: `"${name.slice(0, 100)}" is not a project; it must be entity/project.` }
    }
    if (!request.allowed(name)) return { status: 403, reason: `This key has no write access to ${name}.` }
    return project
  }
}

function refusalOf(error: unknown, signal: Signal): Refusal {
  if (error instanceof TooLarge || isTooLong(error)) return { status: 413, reason: 'Request too large' }
  if (error instanceof BadMessage) {
    return {
      status: 400,
      reason: `The body can't be read as an OTLP ${SIGNALS[signal].whole} export: ${error.message}.`,
    }
  }
  throw error
}

/** Whether a text is longer than a string may be: half a gigabyte. */
function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    error.message === 'Invalid string length' || ('code' in error && error.code === 'ERR_STRING_TOO_LONG')
  )
}

/** What is read, or why all spans that share it are refused. */
function unlessBad<T>(read: () => T): T | BadSpan {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadSpan) return error
    throw error
  }
}
