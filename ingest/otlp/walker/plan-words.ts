/** Writes plans as the walker reads them: `assembly/plan.ts` says which word is what. Knows no convention. */
import type { TimeUnit } from '../../../domain/conventions/table.js'
import type { Arena } from './arena.js'
import type { Nesting } from './nesting.js'
import { type AttributePlan, type Named, nestingOf, type Source } from './plan.js'

/** Numbers that the walker and its host agree on. */
export interface PlanNumbers {
  /** by name of an agent's column, what the walker does with it */
  readonly agent: (name: string) => number
  /** by name of a label, the address of its column */
  readonly label: (name: string) => number
  /** notes a path inside a value; returns its number */
  readonly path: (path: readonly string[]) => number
}

const HAS_FIELDS = 1
const OWN_USER = 2
const UNCLEAR_USER = 4
const UNWRAPS = 1
const UNANSWERED = 2
const OPERATION = 4
const UNCACHED = 8
const POSITIVE = 16
const PLAIN_TEXT = 32
/** The place of a unit in {@link UNITS}, in the two bits above those. */
const UNIT = 64
export const UNITS: readonly (TimeUnit | undefined)[] = [undefined, 'seconds', 'milliseconds', 'moment']
const SECRET = 1
const IS_JSON = 2
/** In place of a plan's number: messages with these keys are left to TypeScript. */
const REFUSED = -1

type Field = keyof AttributePlan['fields']

/** Fields that are rare, and that TypeScript reads. */
const UNUSUAL: readonly Field[] = [
  ...(['callId', 'traceId', 'parentId', 'runId', 'runStep', 'runStepEnd'] as const),
  ...(['startTime', 'endTime', 'merged'] as const),
]
const FIELDS: readonly Field[] = [
  ...(['threadId', 'ownThreadId', 'conversation', 'isTurn', 'displayName'] as const),
  ...(['level', 'errorMessage'] as const),
]

/** The plan of a span's attributes with these keys, whose number is `number`. */
export function writePlan(
  arena: Arena,
  keys: readonly string[],
  plan: AttributePlan,
  number: number,
  numbers: PlanNumbers,
): number {
  const sources = (list: readonly Source[]) => writeSources(arena, list, numbers)
  const named = (list: readonly Named[], numberOf: (target: Named) => number = (target) => target.number) =>
    arena.words([list.length, ...list.flatMap((target) => [numberOf(target), sources(target.sources)])])
  const leaves = (list: Source['leaves']) => writeLeaves(arena, list)
  const { fields, own } = plan
  return arena.words([
    ...head(arena, keys, plan.problem === '' ? number : REFUSED),
    writeNesting(arena, plan.nesting),
    sources(plan.inputs),
    sources(plan.output),
    named(plan.usage),
    named(plan.costs),
    named(plan.attributes),
    named(plan.agent, ({ name }) => numbers.agent(name)),
    own === undefined ? 0 : writeNesting(arena, own.nesting),
    own === undefined ? 0 : leaves(own.leaves),
    leaves(plan.leaves),
    plan.hasOtelSpan ? 1 : 0,
    sources(UNUSUAL.flatMap((name) => fields[name])),
    (plan.hasFields ? HAS_FIELDS : 0) | (plan.ownUser ? OWN_USER : 0) | (plan.unclearUser ? UNCLEAR_USER : 0),
    ...FIELDS.map((name) => sources(fields[name])),
    leaves(plan.spanLeaves),
    named(plan.labels, ({ name }) => numbers.label(name)),
    sources(plan.firstToken),
    0,
  ])
}

/** How the attributes of an event or a link with these keys nest. */
export function writePartPlan(arena: Arena, keys: readonly string[]): number {
  const nesting = nestingOf(keys)
  const isRefused = typeof nesting === 'string'
  return arena.words([
    ...head(arena, keys, isRefused ? REFUSED : 0),
    isRefused ? 0 : writeNesting(arena, nesting),
  ])
}

/** Two words for the walker, then the keys to compare with, and the plan's number. */
function head(arena: Arena, keys: readonly string[], number: number): number[] {
  const texts = keys.map((key) => Buffer.from(key))
  const sizes = texts.map((text) => 8 + ((text.length + 7) & ~7))
  const all = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  texts.forEach((text, i) => {
    all.writeUInt32LE(text.length, at)
    all.set(text, at + 8)
    at += sizes[i]!
  })
  return [0, 0, keys.length, arena.bytes(all), number]
}

function writeNesting(arena: Arena, { literals, ends, values, secret, isJson }: Nesting): number {
  const text = new Uint8Array(literals.buffer, literals.byteOffset, literals.byteLength)
  const marks = secret.map((isSecret, i) => (isSecret ? SECRET : 0) | (isJson[i] ? IS_JSON : 0))
  return arena.words([
    values.length,
    arena.bytes(text),
    arena.words(ends),
    arena.words(values),
    arena.bytes(marks),
  ])
}

function writeSources(arena: Arena, sources: readonly Source[], numbers: PlanNumbers): number {
  return arena.words([sources.length, ...sources.map((source) => writeSource(arena, source, numbers))])
}

function writeSource(arena: Arena, source: Source, numbers: PlanNumbers): number {
  const { opening, cleaner } = source
  const flags =
    (source.unwraps ? UNWRAPS : 0) |
    (source.unanswered ? UNANSWERED : 0) |
    (source.operation ? OPERATION : 0) |
    (source.uncached ? UNCACHED : 0) |
    (source.positive ? POSITIVE : 0) |
    (source.text ? PLAIN_TEXT : 0) |
    (UNITS.indexOf(source.unit) * UNIT)
  return arena.words([
    source.attribute,
    source.rest.length === 0 ? -1 : numbers.path(source.rest),
    source.start.piece,
    source.start.offset,
    source.end.piece,
    source.end.offset,
    ...arena.slice(new Uint8Array(opening.buffer, opening.byteOffset, opening.byteLength)),
    source.path,
    flags,
    cleaner.length === 0 ? 0 : writeSources(arena, cleaner, numbers),
    writeLeaves(arena, source.leaves),
    writeLeaves(arena, source.bareLeaves),
    source.named.number,
    source.bare.number,
  ])
}

function writeLeaves(arena: Arena, leaves: Source['leaves']): number {
  return arena.words([leaves.length, ...leaves.flatMap(({ attribute, path }) => [attribute, path])])
}
