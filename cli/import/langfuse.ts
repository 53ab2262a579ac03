/**
 * A project of Langfuse: traces, which become the roots of their observations; observations; scores, which become
 * feedback. What came in after the import began is not looked at, so that pages stay as they are.
 */
import { refText } from '../../contract/ref.js'
import { scoreFeedbackId } from '../../domain/feedback/langfuse-score.js'
import {
  type Observation,
  observationSpan,
  rootIdOf,
  type Trace,
  traceSpan,
} from '../../domain/imports/langfuse.js'
import { spanText } from '../../domain/imports/span.js'
import { AnswerError } from '../http-client.js'
import { type Remote, sameAgain } from './remote.js'
import type { Piece } from './sink.js'
import type { Record, Stage } from './stage.js'

/** Langfuse refuses larger pages of some lists. */
const PAGE = 100
const FIELDS = 'core,basic,time,io,metadata,model,usage,prompt'

interface Meta {
  totalItems?: number
  totalPages?: number
  cursor?: string | null
}

interface Listed<T> {
  data: T[]
  meta: Meta
}

interface Score {
  id: string
  traceId: string | null
  observationId?: string | null
  sessionId?: string | null
  name: string
  value: unknown
  stringValue?: string | null
  dataType?: string
  source?: string
  comment?: string | null
  metadata?: unknown
  timestamp: string
  environment?: string | null
  configId?: string | null
  queueId?: string | null
}

type Query = { [name: string]: string | number | undefined }

/** @param until the time at which the import began: ISO 8601 */
export function langfuseStages(from: Remote, project: string, until: string): Stage[] {
  const numbered = <T>(name: string, path: string, query: Query, pieces: (item: T) => Piece[]): Stage => ({
    name,
    total: async () => (await list(from, path, { ...query, limit: 1, page: 1 })).meta.totalItems ?? 0,
    read: (at) => byNumber<T>(from, path, query, at, pieces),
  })
  const observed = (one: Observation) => [{ kind: 'span' as const, text: spanText(observationSpan(one)) }]
  const legacy = numbered('observations', '/api/public/observations', { toStartTime: until }, observed)
  return [
    numbered<Trace>(
      'traces',
      '/api/public/traces',
      { toTimestamp: until, orderBy: 'timestamp.asc' },
      (trace) => [{ kind: 'span', text: spanText(traceSpan(trace)) }],
    ),
    {
      name: 'observations',
      // Counted where pages have numbers; the newer list has none.
      total: async () => ((await hasCursors(from)) ? 0 : legacy.total()),
      read: (at) => observationsOf(from, until, at, observed, legacy),
    },
    {
      ...numbered<Score>('scores', '/api/public/v2/scores', { toTimestamp: until }, (score) =>
        feedbackOf(score, project),
      ),
      skips: 'scores of sessions and of dataset runs',
    },
  ]
}

function list<T>(from: Remote, path: string, query: Query): Promise<Listed<T>> {
  return from.json<Listed<T>>(path, { query })
}

/** The list with cursors is only served by newer installations. */
async function hasCursors(from: Remote): Promise<boolean> {
  try {
    await list(from, '/api/public/v2/observations', { limit: 1 })
    return true
  } catch (error) {
    if (error instanceof AnswerError && [400, 404, 405, 501].includes(error.answered)) return false
    throw error
  }
}

async function* observationsOf(
  from: Remote,
  until: string,
  at: unknown,
  pieces: (item: Observation) => Piece[],
  legacy: Stage,
): AsyncGenerator<Record> {
  const wasNumbered = typeof at === 'object' && at !== null && 'page' in at
  if (wasNumbered || !(await hasCursors(from))) return yield* legacy.read(at)
  let { cursor, done } = (at as { cursor?: string; done: number } | undefined) ?? { done: 0 }
  for (;;) {
    const query = { fields: FIELDS, limit: PAGE, toStartTime: until, cursor }
    const { data, meta } = await list<Observation>(from, '/api/public/v2/observations', query)
    for (const item of data.slice(done))
      yield { pieces: pieces(item), position: { ...(cursor && { cursor }), done: ++done } }
    if (!meta.cursor) return
    if (meta.cursor === cursor) throw sameAgain('Langfuse')
    cursor = meta.cursor
    done = 0
  }
}

async function* byNumber<T>(
  from: Remote,
  path: string,
  query: Query,
  at: unknown,
  pieces: (item: T) => Piece[],
): AsyncGenerator<Record> {
  let { page, done } = (at as { page: number; done: number } | undefined) ?? { page: 1, done: 0 }
  for (;;) {
    const { data, meta } = await list<T>(from, path, { ...query, limit: PAGE, page })
    for (const item of data.slice(done)) yield { pieces: pieces(item), position: { page, done: ++done } }
    if (data.length === 0 || page >= (meta.totalPages ?? page)) return
    page++
    done = 0
  }
}

/** Nothing for the score of a session or of a run of a dataset: feedback is about calls. */
function feedbackOf(score: Score, project: string): Piece[] {
  const { id, traceId, observationId, name, value, stringValue, dataType, source, comment } = score
  const { environment, configId, queueId } = score
  if (!traceId) return []
  const call = observationId || rootIdOf(traceId)
  const feedback = {
    id: scoreFeedbackId(project, id),
    project_id: project,
    weave_ref: refText({ project, kind: 'call', id: call, steps: [] }),
    feedback_type: `langfuse.${name}`,
    payload: {
      ...{ value: dataType === 'CATEGORICAL' ? (stringValue ?? value) : value, dataType, source, comment },
      ...{ metadata: score.metadata, created_at: score.timestamp },
      ...{ id, traceId, observationId, environment, configId, queueId },
    },
  }
  return [{ kind: 'feedback', text: JSON.stringify(feedback) }]
}
