/**
 * From the bodies of writes to rows: many requests at once, since they are committed together. A request is taken
 * whole or not at all, and one that is refused leaves its neighbours as they are.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError, ValidationError } from '../../platform/errors/error.js'
import { JsonError } from '../../platform/json/error.js'
import { utf8At } from '../../platform/json/text.js'
import { check } from './check.js'
import { ESCAPES, type Half } from './half.js'
import { HalfPool } from './half-pool.js'
import { type Joined, join } from './join.js'
import { type BodyItem, type CallsRoute, read } from './read.js'
import { identityHashes, ROW, type RowKeys } from './row-keys.js'
import { SLOT } from './slots.js'
import { Violations } from './violations.js'
import { writeRow } from './write.js'

/** One request. The body must stay as it is until {@link decodeCalls} returns. */
export interface CallsRequest {
  readonly route: CallsRoute
  readonly body: Uint8Array
  /** entity/project from the path of a `/v2` route; what the body says must be the same */
  readonly project?: string | undefined
  /** who sent it, from the credentials */
  readonly userId: string
  /** µs since the epoch when it was accepted; leave it out if versions are stamped into the block later */
  readonly ver?: number
  /** whether the sender may write to a project (entity/project) */
  readonly mayWrite: (project: string) => boolean
}

/** What became of a request: refused, or the body of its answer once the rows are stored. */
type Outcome =
  | { readonly error: HeddleError }
  | { readonly answer: string; readonly calls: number; readonly projects: readonly string[] }

export interface Decoded {
  /** by request */
  readonly outcomes: Outcome[]
  /** rows appended to the blocks of `calls` and of `calls_open` */
  readonly calls: RowKeys
  readonly open: RowKeys
}

const pool = new HalfPool()

/**
 * Decodes `requests`, in the order they came, and appends their rows to the two blocks: calls whose start and end are
 * both among them (in one request or in two) as one row of `calls`, other halves to `open`.
 */
export function decodeCalls(requests: readonly CallsRequest[], calls: CallBlock, open: CallBlock): Decoded {
  try {
    const halves: Half[] = []
    const outcomes = requests.map((request, index) => take(request, index, halves))
    return { outcomes, ...write(requests, join(halves), calls, open) }
  } finally {
    pool.clear()
  }
}

/** Reads and checks one request; adds its halves to `halves` if nothing is wrong with any. */
function take(request: CallsRequest, index: number, halves: Half[]): Outcome {
  const mark = pool.begin()
  try {
    const taken = halvesOf(request)
    const projects = new Set<string>()
    for (const half of taken) projects.add(half.project)
    for (const project of projects) {
      if (!request.mayWrite(project)) throw errors.noRight('write', project)
    }
    for (const half of taken) {
      half.request = index
      halves.push(half)
    }
    return { answer: answerOf(request.route, taken), calls: taken.length, projects: [...projects] }
  } catch (error) {
    pool.rewind(mark)
    if (error instanceof HeddleError) return { error }
    if (error instanceof JsonError) return { error: errors.badBody(error.message) }
    throw error
  }
}

/** The calls of a request, checked. @throws ValidationError, JsonError */
function halvesOf({ route, body, project }: CallsRequest): Half[] {
  const violations = new Violations()
  const items = read(bufferOf(body), route, pool)
  const taken: Half[] = []
  if (items === 'notObject') violations.notObject()
  else if (items === 'noBatch') violations.missing('batch')
  else if (items === 'batchNotList') violations.add(['batch'], 'list_type', 'Should be a list')
  else {
    const inBatch = route === 'upsert_batch' || route === 'complete'
    for (let i = 0; i < items.length && !violations.full; i++) {
      const item = items[i]!
      if (inBatch) violations.at('body', 'batch', String(i), ...item.path)
      else violations.at('body', ...item.path)
      const half = checked(item, project, violations)
      if (half) taken.push(half)
    }
  }
  if (violations.list.length > 0) throw new ValidationError(violations.list)
  return taken
}

function checked(
  { half, kind, problem }: BodyItem,
  project: string | undefined,
  violations: Violations,
): Half | undefined {
  if (half) {
    if (!check(half, kind, violations)) return undefined
    if (project === undefined || half.project === project) return half
    violations.add(['project_id'], 'project_mismatch', `Should be the project of the path, ${project}`)
  } else if (problem === 'missing') violations.missing()
  else if (problem === 'notObject') violations.notObject()
  else violations.add([], 'literal_error', 'Should be "start" or "end"')
  return undefined
}

function answerOf(route: CallsRoute, halves: readonly Half[]): string {
  if (route === 'start') return startAnswer(halves[0]!)
  if (route !== 'upsert_batch') return '{}'
  return `{"res":[${halves.map((half) => (half.kind === 'start' ? startAnswer(half) : '{}')).join(',')}]}`
}

function startAnswer(half: Half): string {
  const slot = SLOT.trace_id
  const traceId =
    half.madeTraceId !== ''
      ? `"${half.madeTraceId}"`
      : half.flags(slot) & ESCAPES
        ? JSON.stringify(half.text(slot))
        : utf8At(half.buf, half.from(slot), half.to(slot))
  return `{"id":${JSON.stringify(half.id)},"trace_id":${traceId}}`
}

function write(
  requests: readonly CallsRequest[],
  joined: readonly Joined[],
  calls: CallBlock,
  open: CallBlock,
): { calls: RowKeys; open: RowKeys } {
  const whole: Joined[] = []
  const halves: Joined[] = []
  for (const call of joined) {
    const isWhole = call.start !== undefined && call.end !== undefined
    const first = requests[(call.start ?? call.end)!.request]!
    const ver = Math.max(requests[call.request]!.ver ?? 0, first.ver ?? 0)
    ;(isWhole ? whole : halves).push(call)
    writeRow(isWhole ? calls : open, call, first.userId, ver)
  }
  return { calls: keysOf(whole), open: keysOf(halves) }
}

function keysOf(rows: readonly Joined[]): RowKeys {
  return {
    ids: rows.map(({ id }) => id),
    kinds: Uint8Array.from(rows, kindOf),
    hashes: identityHashes(rows),
    requests: Uint32Array.from(rows, ({ request }) => request),
  }
}

function kindOf({ start, end, whole }: Joined): number {
  return whole ? ROW.whole : start && end ? ROW.pair : start ? ROW.start : ROW.end
}
