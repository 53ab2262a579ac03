/** Requests that are wrong in type, name or depth, made from a valid one of an operation: none may make the service fall over. */
import { retryingWhenBusy } from '../support/retry-after.js'
import { rounds } from '../support/rounds.js'
import { checkAnswer } from './contract.js'
import { nested } from './table/bodies.js'
import { type Operation, type Sent, send, type World } from './table/operation.js'

/** Values that are wrong in most places. */
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'a\u0000b',
  "'; DROP TABLE calls; --",
  '\ud800',
  'x'.repeat(70_000),
  [],
  [[null]],
  [{}],
  { a: { b: [] } },
  { $literal: 1 },
]

/** Names of fields that are none. */
const FIELDS = [
  '',
  '.',
  'inputs.',
  '__proto__',
  'constructor',
  'toString',
  'inputs.__proto__.x',
  "inputs.'); SELECT 1; --",
  'inputs.{x:String}',
  'inputs.a\\',
  'inputs.\u0000',
  'feedback.[*]',
  'feedback.[x].payload.',
  `inputs.${'a.'.repeat(300)}a`,
  'x'.repeat(20_000),
]

/** How many of the values, and of the fields, one place is tried with: the next place with the next ones. */
const SOME = rounds(3, Number.POSITIVE_INFINITY)

/** Has all of `all` in turn, a few at a time; every time all of them in `make soak`. */
function inTurn<T>(all: readonly T[]): () => T[] {
  let next = 0
  return () => Array.from({ length: Math.min(SOME, all.length) }, () => all[next++ % all.length]!)
}
const someValues = inTurn(VALUES)
const someFields = inTurn(FIELDS)

type Body = Record<string, unknown>
const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

/** A body with each field, and each field one level below, replaced by what is wrong there. */
function* withWrongFields(body: Body, below = 1): Generator<Body> {
  for (const [key, old] of Object.entries(body)) {
    const { [key]: _left, ...without } = body
    yield without
    for (const value of someValues()) yield { ...body, [key]: value }
    if (!isBody(old) || below === 0) continue
    for (const inner of withWrongFields(old, below - 1)) yield { ...body, [key]: inner }
  }
}

/** What to send instead of a valid request: bodies, path parameters and query parameters with something wrong. */
export function wrongOnes(valid: Sent): Sent[] {
  // A lone surrogate has no place in an address, and a longer one is refused before any route is looked for.
  const texts = VALUES.filter((value) => typeof value === 'string' && value !== '\ud800').map((text) =>
    String(text).slice(0, 2_000),
  )
  const parameters = (kind: 'params' | 'query') =>
    Object.keys(valid[kind] ?? {}).flatMap((name) =>
      texts.map((text) => ({ ...valid, [kind]: { ...valid[kind], [name]: text } })),
    )
  const bodies = isBody(valid.body) ? [...withWrongFields(valid.body)] : []
  return [...parameters('params'), ...parameters('query'), ...bodies.map((body) => ({ ...valid, body }))]
}

/**
 * Fields, sorts and expressions that are none, in place of those of a valid query.
 * @param read the top-level fields that the operation reads
 */
export function wrongQueries(valid: Sent, read: ReadonlySet<string>): Sent[] {
  const wrong = someFields().flatMap((field): Body[] => {
    const operand = { $getField: field }
    const input = { input: operand, substr: { $literal: '%_\\' } }
    const expressions = [{ $eq: [operand, { $literal: field }] }, { $contains: input }]
    return [
      { sort_by: [{ field, direction: 'asc' }] },
      { columns: [field] },
      { fields: [field] },
      { expand_columns: [field] },
      { query: { $expr: { $or: expressions } } },
    ]
  })
  wrong.push(
    { sort_by: [{ field: 'id', direction: 'down' }] },
    { sort_by: [{ direction: 'asc' }] },
    { query: { $expr: { $eq: [{ $literal: 1 }, { $literal: 1 }] }, x: 1 } },
    { query: { $expr: { $where: 'true' } } },
    { query: { $expr: { $and: [] } } },
    { query: { $expr: { $eq: [{ $literal: 1 }] } } },
    {
      query: {
        $expr: JSON.parse(nested(60, '{"$not":[', ']}').replace('[]', '[{"$literal":1}]')) as object,
      },
    },
    { limit: Number.MAX_SAFE_INTEGER, offset: Number.MAX_SAFE_INTEGER },
  )
  return wrong
    .filter((more) => Object.keys(more).some((name) => read.has(name)))
    .map((more) => ({ ...valid, body: { ...(valid.body as Body), ...more } }))
}

/** Sends them, a few at a time, and checks each answer. */
export async function sendAll({ api, project }: World, row: Operation, all: readonly Sent[]): Promise<void> {
  const waiting = [...all]
  const worker = async () => {
    for (let sent = waiting.pop(); sent !== undefined; sent = waiting.pop())
      checkAnswer(sent, await retryingWhenBusy(() => send(api, row, project, sent)))
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
