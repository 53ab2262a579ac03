/** A project of a Weave server (W&B's, or another Heddle): objects with their tables and files, calls, feedback. */
import { JsonError } from '../../platform/json/error.js'
import { type JsonTree, parseTree } from '../../platform/json/tree.js'
import { microsOf } from '../../platform/time/micros.js'
import { CommandError } from '../command.js'
import { CALL_COLUMNS } from '../data/call-columns.js'
import { NotACall, objectIn, piecesOf } from './call-line.js'
import type { Checkpoint } from './checkpoint.js'
import { feedbackPiece } from './feedback.js'
import { MovedRefs } from './moved-refs.js'
import type { Remote } from './remote.js'
import type { Record, Stage } from './stage.js'
import { Assets } from './weave-assets.js'

const FEEDBACK_PAGE = 500
const OBJECTS_PAGE = 20

interface Weave {
  from: Remote
  /** `entity/project` there */
  source: string
  /** `entity/project` here */
  project: string
  refs: MovedRefs
  assets: Assets
  checkpoint: Checkpoint
}

export function weaveStages(
  from: Remote,
  to: Remote,
  source: string,
  project: string,
  checkpoint: Checkpoint,
): Stage[] {
  const refs = new MovedRefs(source, project, checkpoint.progress.digests)
  const assets = new Assets(from, to, source, project, refs, checkpoint)
  const weave: Weave = { from, source, project, refs, assets, checkpoint }
  return [
    {
      name: 'objects',
      total: async () => 0,
      read: (at) => objectsOf(weave, Number(at ?? 0)),
    },
    {
      name: 'calls',
      total: async () =>
        (await from.json<{ count: number }>('/calls/query_stats', { json: { project_id: source } })).count,
      read: (at) => callsOf(weave, at as CallPosition | undefined),
    },
    {
      name: 'feedback',
      total: async () =>
        (
          await from.json<{ total_count?: number }>('/feedback/query', {
            json: { project_id: source, limit: 1 },
          })
        ).total_count ?? 0,
      read: (at) => feedbackOf(weave, Number(at ?? 0)),
    },
  ]
}

/** All versions in the order in which they were made, so that they get the same numbers. */
async function* objectsOf(weave: Weave, done: number): AsyncGenerator<Record> {
  const query = (offset: number) => ({
    project_id: weave.source,
    sort_by: [{ field: 'created_at', direction: 'asc' }],
    limit: OBJECTS_PAGE,
    offset,
  })
  for await (const [object, position] of pages(weave.from, '/objs/query', 'objs', query, done)) {
    const value = object.get('val') ?? null
    await weave.assets.copyObject(String(object.get('object_id')), String(object.get('digest')), value)
    // It is stored: a piece would be refused or accepted like others, but its digest is needed before the next.
    yield { pieces: [], position }
  }
}

async function* feedbackOf({ from, source, project, refs }: Weave, done: number): AsyncGenerator<Record> {
  const query = (offset: number) => ({
    project_id: source,
    sort_by: [
      { field: 'created_at', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ],
    limit: FEEDBACK_PAGE,
    offset,
  })
  for await (const [feedback, position] of pages(from, '/feedback/query', 'result', query, done))
    yield { pieces: [feedbackPiece(feedback, project, refs)], position }
}

/** The items of a list from the `offset`th on, each with the offset of the next. */
async function* pages(
  from: Remote,
  path: string,
  member: string,
  query: (offset: number) => { limit: number },
  offset: number,
): AsyncGenerator<[item: Map<string, JsonTree>, next: number]> {
  for (let next = offset; ; ) {
    const asked = query(next)
    const page = await from.patiently(async () => (await from.ask(path, { json: asked })).text())
    const answer = parseTree(page, Number.POSITIVE_INFINITY)
    const items = answer instanceof Map ? answer.get(member) : undefined
    if (!Array.isArray(items))
      throw new CommandError(`${from.url}${path} does not answer like a Weave server`)
    for (const item of items) if (item instanceof Map) yield [item, ++next]
    if (items.length < asked.limit) return
  }
}

/** The last call that was read: they come ordered by both. */
interface CallPosition {
  started_at: string
  id: string
}

async function* callsOf(weave: Weave, at: CallPosition | undefined): AsyncGenerator<Record> {
  let last = at
  for (let tries = 0; ; ) {
    try {
      for await (const line of linesAfter(weave, last)) {
        const call = objectIn(line)
        const position = { started_at: String(call.get('started_at')), id: String(call.get('id')) }
        if (last !== undefined && !isAfter(position, last)) continue
        await weave.assets.copyFiles(call)
        yield { pieces: piecesOf(call, weave.project, weave.refs), position }
        last = position
        tries = 0
      }
      return
    } catch (error) {
      if (error instanceof NotACall || error instanceof JsonError)
        throw new CommandError(`${weave.from.url} sent a line that is not a call: ${error.message}`)
      // Long streams break off, and go on from where they were.
      await weave.from.waitAfter(++tries, error)
    }
  }
}

function linesAfter({ from, source }: Weave, last: CallPosition | undefined): AsyncIterable<Buffer> {
  // Whole seconds are what every Weave server compares times with.
  const seconds = last && Math.floor(microsOf(last.started_at) / 1e6)
  return from.lines('/calls/stream_query', {
    project_id: source,
    columns: CALL_COLUMNS,
    sort_by: [
      { field: 'started_at', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ],
    ...(seconds && { query: { $expr: { $gte: [{ $getField: 'started_at' }, { $literal: seconds }] } } }),
  })
}

function isAfter(a: CallPosition, b: CallPosition): boolean {
  const later = microsOf(a.started_at) - microsOf(b.started_at)
  return later > 0 || (later === 0 && Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)) > 0)
}
