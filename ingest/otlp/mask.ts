/**
 * Masks the spans or log records of a request on the wire, by the rules of the project of each block: names, bodies,
 * messages of a status, and texts of attributes at any depth; name and version of the library that made them; of the
 * resource all but what says whose spans these are.
 * What changes is written anew with what is around it, everything else stays as it came.
 */
import { RESOURCE_KEYS } from '../../domain/conventions/table.js'
import { type Counts, counter } from '../../domain/masking/counts.js'
import type { Literal } from '../../domain/masking/literals.js'
import type { Count, RuleSet } from '../../domain/masking/rule-set.js'
import type { RulesByScope } from '../../domain/masking/rules-by-scope.js'
import { utf8At } from '../../platform/json/text.js'
import {
  ANY_VALUE,
  ARRAY,
  EVENT,
  KEY_VALUE,
  KEY_VALUE_LIST,
  LINK,
  LOG_RECORD,
  REQUEST,
  RESOURCE,
  RESOURCE_SPANS,
  SCOPE,
  SCOPE_SPANS,
  SPAN,
  STATUS,
} from '../../proto/otlp/tags.js'
import { type Hints, REACH } from './hints.js'
import { MAX_NESTING } from './limits.js'
import type { Signal } from './signal.js'
import { Wire } from './wire.js'

/** Rules, and where to count what they mask. */
export interface Masking {
  rules: RulesByScope
  counts: Counts
}

interface Request extends Masking {
  /** The project of the resource `[from, to)`, or of the request; empty: none. */
  projectOf: (from: number, to: number) => string
  /** Where the request may hold something that a detector finds, see `hints.ts`. */
  hints: () => Hints
  /** Where it may hold the literal. */
  literal: (one: Literal) => readonly number[]
}

/** What the texts of a block are masked by. */
interface Block {
  wire: Wire
  set: RuleSet
  count: Count
  /** places that may match; undefined: any */
  places: Places | undefined
  /** places that detectors may match, where there are patterns too */
  glance: Places | undefined
}

/** What a field becomes; undefined: it stays. @param path where it stands, for rules of paths */
type Visit = (
  block: Block,
  from: number,
  to: number,
  path: readonly string[],
  depth: number,
) => Buffer | undefined

/** What a rule of paths calls a span's attributes, and everything else of it. */
const ATTRIBUTES = ['attributes']
const NOWHERE: readonly string[] = []
const WHOSE = new Set([...RESOURCE_KEYS.entity, ...RESOURCE_KEYS.project])

/** The request with its texts masked; the same one if nothing is. @throws BadMessage */
export function maskedRequest(wire: Wire, signal: Signal, request: Request): Wire {
  let places: Places | undefined
  const blockOf = (from: number, to: number): Block | undefined => {
    let resource: [number, number] = [0, 0]
    wire.each(from, to, RESOURCE_SPANS.resource, 'a block of spans', (at, end) => {
      resource = [at, end]
    })
    const project = request.projectOf(...resource)
    const set = request.rules.of(project)
    if (set.isEmpty) return undefined
    if (set.canSayNo || set.isHinted) places ??= new Places(wire.buf, request.hints(), request.literal)
    const isNothing = set.isHinted && !places!.mayBe(set, from, to)
    if (isNothing) return undefined
    const count = counter(request.counts, project, set)
    return {
      wire,
      set,
      count,
      ...(set.isHinted ? { places, glance: undefined } : { places: undefined, glance: places }),
    }
  }
  const changed = rewritten(wire, 0, wire.buf.length, (tag, from, to) => {
    if (tag !== REQUEST.resourceSpans) return undefined
    const block = blockOf(from, to)
    return block && BLOCKS[signal](block, from, to, NOWHERE, 0)
  })
  return changed === undefined ? wire : new Wire(changed)
}

/** The message `[from, to)` with those of its fields replaced that `change` has something for; undefined: none. */
function rewritten(
  wire: Wire,
  from: number,
  to: number,
  change: (tag: number, from: number, to: number) => Buffer | undefined,
): Buffer | undefined {
  const { buf } = wire
  let pieces: Buffer[] | undefined
  let copied = from
  let pos = from
  while (pos < to) {
    const tag = wire.tag(pos)
    const at = wire.pos
    if ((tag & 7) !== 2) {
      pos = wire.skip(tag, at)
      continue
    }
    const length = wire.length(at, to)
    const start = wire.pos
    pos = start + length
    const made = change(tag, start, pos)
    if (made === undefined) continue
    pieces ??= []
    pieces.push(buf.subarray(copied, at), varint(made.length), made)
    copied = pos
  }
  if (pieces === undefined) return undefined
  pieces.push(buf.subarray(copied, to))
  return Buffer.concat(pieces)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128)
  bytes.push(left)
  return Buffer.from(bytes)
}

/** A span or a record: one of which a glance says that nothing in it matches is not looked at. */
const glanced =
  (visit: Visit): Visit =>
  (block, from, to, path, depth) => {
    const { set, wire, glance } = block
    if (glance?.mayBe(set, from, to) === false && !set.mayFit(wire.buf.subarray(from, to))) return undefined
    return visit(block, from, to, path, depth)
  }

/** Visits fields of a message, each by its tag. */
function within(fields: readonly (readonly [number, Visit])[]): Visit {
  const byTag = new Map(fields)
  return (block, from, to, path, depth) => {
    if (block.places?.mayBe(block.set, from, to) === false) return undefined
    return rewritten(block.wire, from, to, (tag, at, end) => byTag.get(tag)?.(block, at, end, path, depth))
  }
}

/** Where a field stands is what the fields within it are called by. */
const at =
  (place: readonly string[], visit: Visit): Visit =>
  (block, from, to, _path, depth) =>
    visit(block, from, to, place, depth)

const text: Visit = ({ wire, set, count, places }, from, to, path) => {
  if (from === to || places?.mayBe(set, from, to) === false) return undefined
  const whole = utf8At(wire.buf, from, to)
  const masked = set.value(whole, path, count)
  return masked === whole ? undefined : Buffer.from(masked)
}

/** A span whose values are nested deeper is refused later on. */
const value: Visit = (block, from, to, path, depth) =>
  depth <= MAX_NESTING ? anyValue(block, from, to, path, depth + 1) : undefined

const pairBut =
  (left: ReadonlySet<string>): Visit =>
  (block, from, to, path, depth) => {
    if (block.places?.mayBe(block.set, from, to) === false) return undefined
    const { wire } = block
    let key = ''
    if (block.set.hasPaths || left.size > 0)
      wire.each(from, to, KEY_VALUE.key, 'an attribute', (start, end) => {
        key = utf8At(wire.buf, start, end)
      })
    if (left.has(key)) return undefined
    const place = block.set.hasPaths ? [...path, key] : path
    return rewritten(wire, from, to, (tag, start, end) =>
      tag === KEY_VALUE.value ? value(block, start, end, place, depth) : undefined,
    )
  }
const pair = pairBut(new Set())
const anyValue = within([
  [ANY_VALUE.stringValue, text],
  [ANY_VALUE.arrayValue, within([[ARRAY.values, value]])],
  [ANY_VALUE.kvlistValue, within([[KEY_VALUE_LIST.values, pair]])],
])
const span = within([
  [SPAN.name, text],
  [SPAN.traceState, text],
  [SPAN.attributes, at(ATTRIBUTES, pair)],
  [
    SPAN.events,
    within([
      [EVENT.name, text],
      [EVENT.attributes, at(ATTRIBUTES, pair)],
    ]),
  ],
  [
    SPAN.links,
    within([
      [LINK.traceState, text],
      [LINK.attributes, at(ATTRIBUTES, pair)],
    ]),
  ],
  [SPAN.status, within([[STATUS.message, text]])],
])
const logRecord = within([
  [LOG_RECORD.attributes, at(ATTRIBUTES, pair)],
  [LOG_RECORD.body, value],
])
const resource = within([[RESOURCE.attributes, at(['resource'], pairBut(WHOSE))]])
const scope = within([
  [SCOPE.name, text],
  [SCOPE.version, text],
])
const blockOf = (item: Visit) =>
  within([
    [RESOURCE_SPANS.resource, resource],
    [
      RESOURCE_SPANS.scopeSpans,
      within([
        [SCOPE_SPANS.scope, scope],
        [SCOPE_SPANS.spans, glanced(item)],
      ]),
    ],
  ])
const BLOCKS: Readonly<Record<Signal, Visit>> = { traces: blockOf(span), logs: blockOf(logRecord) }

/** Pieces of the request that may match, and what was found out about them. */
class Places {
  /** by place, whether there is a detector's hint: 0 unknown, 1 yes, 2 no; and where literals of the set are */
  private seen: { set: RuleSet; known: Uint8Array; literals: readonly number[] } | undefined

  constructor(
    private readonly buf: Buffer,
    private readonly hints: Hints,
    private readonly literal: Request['literal'],
  ) {}

  /** False if no text within `[from, to)` matches. */
  mayBe(set: RuleSet, from: number, to: number): boolean {
    const { places: starts, escapes } = this.hints
    if (escapes.length > 0 && (escapes[firstAfter(escapes, from - 1)] ?? to) < to) return true
    if (this.seen?.set !== set)
      this.seen = { set, known: new Uint8Array(starts.length), literals: this.literalsOf(set) }
    const { known, literals } = this.seen
    if ((literals[firstAfter(literals, from - 1)] ?? to) < to) return true
    for (let i = firstAfter(starts, from - REACH); i < starts.length && starts[i]! < to; i++) {
      if (known[i] === 0) known[i] = this.isHint(set, starts[i]!) ? 1 : 2
      if (known[i] === 1) return true
    }
    return false
  }

  /** Where literals are, in order. */
  private literalsOf(set: RuleSet): readonly number[] {
    if (!set.isHinted || set.literals.length === 0) return []
    return set.literals.flatMap((one) => this.literal(one)).sort((a, b) => a - b)
  }

  /** Whether a detector's hint stands there: what is longer than a piece begins in an earlier one. */
  private isHint(set: RuleSet, start: number): boolean {
    const from = Math.max(0, start - 2 * REACH)
    return set.mayDetect(this.buf.toString('latin1', from, start + 2 * REACH))
  }
}

/** The index of the first of the sorted `places` behind `at`. */
function firstAfter(places: readonly number[], at: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! > at) high = middle
    else low = middle + 1
  }
  return low
}
