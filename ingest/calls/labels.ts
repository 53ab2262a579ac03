/**
 * Where and by what a call was made, as its attributes say it by the names of `domain/conventions/table.ts`; and how long
 * the first part of its answer took.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import { MAX_LABEL, microsToFirstToken } from '../../domain/calls/labels.js'
import {
  FIRST_TOKEN,
  LABELS,
  type Label,
  type Source,
  type TimeUnit,
} from '../../domain/conventions/table.js'
import { eachField, lookup } from '../../platform/json/fields.js'
import { Notes, type Slice, scanValue } from '../../platform/json/scan.js'
import { unescapedAt, utf8At } from '../../platform/json/text.js'
import { textOf } from '../otlp/attribute-lookup.js'
import type { Half } from './half.js'
import { SLOT } from './slots.js'

const notes = new Notes()

/** A key, with what may stand at the top level for it: itself, or the first of its parts. */
interface Wanted {
  readonly key: string
  readonly parts: readonly string[]
  readonly unit: NonNullable<Source[2]>['unit']
}
const wantedOf = (target: readonly Source[]): Wanted[] =>
  target.map(([key, , reading]) => ({ key, parts: key.split('.'), unit: reading?.unit }))

const WANTED = Object.entries(LABELS).map(
  ([name, target]) => [name as Label, SLOT[name as Label], wantedOf(target)] as const,
)
const WANTED_TIMES = wantedOf(FIRST_TOKEN)
const TOP_LEVEL = new Set(
  [...WANTED.flatMap(([, , wanted]) => wanted), ...WANTED_TIMES].flatMap(({ key, parts }) => [
    key,
    parts[0]!,
  ]),
)

/** What attributes say. */
interface Said {
  readonly labels: ReadonlyMap<Label, string>
  readonly firstToken: readonly [text: string, unit: TimeUnit | undefined] | undefined
}
const NOTHING: Said = { labels: new Map(), firstToken: undefined }

/** The values that may say something, by their keys. */
type Found = ReadonlyMap<string, Slice>

/** Attributes that are kept, with what they say: the calls of a program mostly have the same. */
const MAX_KEPT = 4096
let kept = Buffer.alloc(0)
let said = NOTHING

/** What the attributes of `start` say. */
function saidBy(start: Half): Said {
  if (start.unset(SLOT.attributes)) return NOTHING
  const [from, to] = [start.from(SLOT.attributes), start.to(SLOT.attributes)]
  const { buf } = start
  if (kept.length === to - from && kept.compare(buf, from, to) === 0) return said
  const found = foundIn(buf, from)
  const read = found.size === 0 ? NOTHING : readOf(buf, found)
  if (to - from > MAX_KEPT) return read
  kept = Buffer.from(buf.subarray(from, to))
  said = read
  return read
}

function foundIn(buf: Uint8Array, from: number): Found {
  const found = new Map<string, Slice>()
  eachField(buf, from, notes, (keyFrom, keyTo, _escaped, at) => {
    const to = scanValue(buf, at, notes)
    const key = unescapedAt(buf, keyFrom, keyTo)
    if (TOP_LEVEL.has(key)) found.set(key, { from: at, to })
    return to
  })
  return found
}

function readOf(buf: Uint8Array, found: Found): Said {
  const labels = WANTED.flatMap(([name, , wanted]): [Label, string][] => {
    const [text] = firstOf(buf, found, wanted) ?? []
    return text === undefined ? [] : [[name, text.slice(0, MAX_LABEL)]]
  })
  const [text, wanted] = firstOf(buf, found, WANTED_TIMES) ?? []
  return { labels: new Map(labels), firstToken: text === undefined ? undefined : [text, wanted!.unit] }
}

/** The first text, and what says it. */
function firstOf(buf: Uint8Array, found: Found, all: readonly Wanted[]): [string, Wanted] | undefined {
  for (const wanted of all) {
    const top = found.get(wanted.parts[0]!)
    const slice = found.get(wanted.key) ?? (top && lookup(buf, top, wanted.parts.slice(1)))
    // Null says nothing.
    const text = slice && buf[slice.from] !== 0x6e ? textOf(utf8At(buf, slice.from, slice.to)) : undefined
    if (text) return [text, wanted]
  }
  return undefined
}

/** Sets the columns of the row at hand. A field that is sent counts before the attributes. */
export function writeLabels(block: CallBlock, start: Half | undefined, end: Half | undefined): void {
  const { labels, firstToken } = start === undefined ? NOTHING : saidBy(start)
  if (start !== undefined)
    for (let i = 0; i < WANTED.length; i++) {
      const [name, slot] = WANTED[i]!
      const text = start.unset(slot) ? labels.get(name) : start.text(slot).slice(0, MAX_LABEL)
      if (text !== undefined) block[name].text(text)
    }
  if (end === undefined) return
  const micros = end.firstToken || lastOfOutput(end)
  if (micros > 0) block.first_token.int(micros)
  else if (firstToken !== undefined)
    block.first_token.int(microsToFirstToken(...firstToken, start!.number(SLOT.started_at)))
}

const LAST = Buffer.from('"time_to_first_token":')
const MAX_NUMBER = 32

/** What Weave's SDK puts at the end of an answer that came in parts, in µs; 0: nothing. */
function lastOfOutput(end: Half): number {
  if (end.first(SLOT.output) !== 0x7b) return 0
  const { buf } = end
  const to = end.to(SLOT.output) - 1
  let from = to
  while (isOfNumber(buf[from - 1]!) && to - from < MAX_NUMBER) from--
  const key = from - LAST.length
  if (from === to || key <= end.from(SLOT.output) || LAST.compare(buf, key, from) !== 0) return 0
  return microsToFirstToken(utf8At(buf, from, to), 'seconds', 0)
}

/** A digit, a point, a sign or `e`. */
function isOfNumber(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === 46 || byte === 43 || byte === 45 || (byte | 32) === 101
}
