/**
 * What is understood of spans, by the names of their attributes: which conventions they follow, which names mean nothing
 * to us, and what no span says. Pure; knows names, no values.
 */
import { isObject } from '../../platform/json/object.js'
import { AGENT_KEYS } from '../agents/keys.js'
import * as table from './table.js'
import { CONVENTIONS, type Convention, type Source } from './table.js'

/** Names counted, and characters of one: whatever programs send. */
const MAX_NAMES = 500
const MAX_NAME = 120
/** Names in an answer. */
const MAX_SHOWN = 50
/** Levels of a name that count. */
const MAX_LEVELS = 5

export interface SeenConvention {
  convention: string
  spans: number
}

export interface UnknownName {
  attribute: string
  spans: number
}

/** A part of calls that no span has, and the attributes that would say it. */
export interface MissingPart {
  part: string
  set: string[]
}

export interface Seen {
  spans: number
  conventions: SeenConvention[]
  unknown_attributes: UnknownName[]
  missing: MissingPart[]
}

const ALL: readonly Source[] = [
  ...table.INPUTS,
  ...table.OUTPUT,
  ...table.FIRST_TOKEN,
  ...[
    ...[table.USAGE, table.COSTS, table.ATTRIBUTES, table.FIELDS, table.LABELS],
    Object.fromEntries(table.AGENT),
  ].flatMap((targets) => Object.values<readonly Source[]>(targets).flat()),
]
/** Keys that agents' routes read. */
const OF_AGENTS = Object.values(AGENT_KEYS)
  .flat()
  .map((key): Source => [key, key.startsWith('weave.') ? 'own' : 'plain'])
/** What describes other attributes, and nothing of the call. */
const DESCRIPTIONS: readonly Source[] = [['logfire.json_schema', 'pydantic']]
/** The first convention that a name comes from. Names that begin with `gen_ai.` are everybody's, whoever used them first. */
const KNOWN = new Map(
  [...ALL, ...OF_AGENTS, ...DESCRIPTIONS]
    .toReversed()
    .map(([key, convention]) => [key, key.startsWith('gen_ai.') ? 'genai' : convention]),
)

/** What calls are made of, and what says it. */
const PARTS = {
  inputs: table.INPUTS,
  output: table.OUTPUT,
  model: table.ATTRIBUTES.model,
  usage: [...table.USAGE.input_tokens, ...table.USAGE.output_tokens],
  thread: table.FIELDS.threadId,
  user: table.ATTRIBUTES.user_id,
} as const satisfies Record<string, readonly Source[]>
export type Part = keyof typeof PARTS
const ADVISED: readonly Convention[] = ['genai', 'opentelemetry']
const MAX_ADVISED = 3

/** What `count` spans with the attributes `attributes`, nested, have said so far. */
export class SeenAttributes {
  #spans = 0
  readonly #conventions = new Map<Convention, number>()
  readonly #unknown = new Map<string, number>()
  readonly #parts = new Set<Part>()

  /** @param attributes of one span, as they nest @param parts that its call has, whatever said them */
  add(attributes: unknown, parts: readonly Part[]): void {
    this.#spans++
    const conventions = new Set<Convention>()
    const unknown = new Set<string>()
    visit(attributes, [], false, (path, isLast, isBelowKnown) => {
      const name = path.join('.')
      const convention = KNOWN.get(name)
      if (convention !== undefined && convention !== 'plain') conventions.add(convention)
      if (convention === undefined && isLast && !isBelowKnown && unknown.size < MAX_NAMES)
        unknown.add(shown(name))
      return convention !== undefined
    })
    for (const convention of conventions) increment(this.#conventions, convention)
    for (const name of unknown)
      if (this.#unknown.has(name) || this.#unknown.size < MAX_NAMES) increment(this.#unknown, name)
    for (const part of parts) this.#parts.add(part)
  }

  result(): Seen {
    const missing = (Object.keys(PARTS) as Part[]).filter((part) => this.#spans > 0 && !this.#parts.has(part))
    return {
      spans: this.#spans,
      conventions: sorted(this.#conventions).map(([convention, spans]) => ({
        convention: CONVENTIONS[convention][0],
        spans,
      })),
      unknown_attributes: sorted(this.#unknown)
        .slice(0, MAX_SHOWN)
        .map(([attribute, spans]) => ({ attribute, spans })),
      missing: missing.map((part) => ({ part, set: advised(PARTS[part]) })),
    }
  }
}

/** The first names of the general conventions. */
function advised(sources: readonly Source[]): string[] {
  const names = sources.filter(([, convention]) => ADVISED.includes(convention)).map(([key]) => key)
  return names.slice(0, MAX_ADVISED)
}

/**
 * Calls `met` with each path, whether nothing is looked at below it (a list is one value), and whether it is below one for
 * which `met` returned true.
 */
function visit(
  value: unknown,
  path: readonly string[],
  isBelowKnown: boolean,
  met: (path: readonly string[], isLast: boolean, isBelowKnown: boolean) => boolean,
): void {
  if (!isObject(value)) return
  for (const [key, inside] of Object.entries(value)) {
    const below = [...path, key]
    const isLast = !isObject(inside) || below.length === MAX_LEVELS
    const isKnown = met(below, isLast, isBelowKnown)
    if (!isLast) visit(inside, below, isBelowKnown || isKnown, met)
  }
}

const shown = (name: string) => name.slice(0, MAX_NAME).toWellFormed()

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function sorted<Key>(counts: ReadonlyMap<Key, number>): [Key, number][] {
  return [...counts].sort(([, a], [, b]) => b - a)
}
