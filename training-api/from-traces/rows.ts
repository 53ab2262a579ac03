/**
 * Reads the rows of a source from the tracing interface, line by line and with the caller's key, so that only projects
 * the caller may read are read.
 */

import { parseRef, refIn } from '../../contract/ref.js'
import type { TrainingDataSource } from '../../contract/training-data.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { linesOf } from '../../platform/json/lines.js'
import { isObject } from '../../platform/json/object.js'
import { traceHeaders } from '../../platform/telemetry/tracing.js'
import { resolved } from './refs.js'
import type { Row } from './row.js'
import { valueAt } from './template.js'

export interface Caller {
  /** the request's headers; never stored */
  credentials: Readonly<Record<string, string>>
  signal: AbortSignal
}

interface Reader {
  url: string
  caller: Caller
}

const CALL_COLUMNS = [
  ...['id', 'inputs', 'output', 'attributes', 'exception', 'ended_at', 'thread_id', 'trace_id'],
]
const LONGEST_LINE = 64 * 2 ** 20

/**
 * @param tracingUrl the tracing interface's URL; undefined: not configured
 * @param most the most rows to read; undefined: all
 * @throws HeddleError: the tracing interface's error, with its status
 */
export async function* rowsOf(
  source: TrainingDataSource,
  caller: Caller,
  tracingUrl: string | undefined,
  most?: number,
): AsyncGenerator<Row> {
  const reader = { url: configured(tracingUrl), caller }
  const rows = source.calls ? calls(reader, source, most) : dataset(reader, source.dataset!, most)
  yield* resolved(rows, async (refs) => {
    const answer = await ask(reader, '/refs/read_batch', { refs, allow_missing: true })
    const vals = valueAt(await answer.json(), 'vals')
    return Array.isArray(vals) ? vals : []
  })
}

/** @throws `NO_TRACING` (503) */
export function configured(tracingUrl: string | undefined): string {
  if (tracingUrl !== undefined) return tracingUrl
  throw new HeddleError('NO_TRACING', 503, 'No tracing interface is configured; set HEDDLE_TRACING_URL.')
}

async function* calls(reader: Reader, source: TrainingDataSource, most?: number): AsyncGenerator<Row> {
  const { limit, ...query } = source.calls!
  const feedback = source.reward !== null && source.reward.from !== 'column'
  const wholeRow = source.template !== null || source.reward?.from === 'column'
  const lines = streamed(reader, '/calls/stream_query', {
    ...query,
    limit: Math.min(limit, most ?? limit),
    include_feedback: feedback,
    include_token_ids: source.template === null,
    // A template may name any column.
    ...(!wholeRow && { columns: feedback ? [...CALL_COLUMNS, 'summary'] : CALL_COLUMNS }),
  })
  for await (const value of lines) if (isObject(value)) yield { id: String(value.id), kind: 'call', value }
}

async function* dataset(reader: Reader, ref: string, most?: number): AsyncGenerator<Row> {
  const { project, digest, inline } = await tableOf(reader, ref)
  let at = 0
  const rows = inline
    ? inline.slice(0, most)
    : streamed(reader, '/table/query_stream', { project_id: project, digest, ...(most && { limit: most }) })
  for await (const row of rows) {
    const value = inline ? row : valueAt(row, 'val')
    yield { id: String(at++), kind: 'row', value: isObject(value) ? value : {} }
  }
}

/** The table behind a ref, or the rows if the object holds them itself. */
async function tableOf(
  reader: Reader,
  ref: string,
): Promise<{ project: string; digest?: string; inline?: unknown[] }> {
  const parsed = parseRef(ref)
  const { project } = parsed
  if (parsed.kind === 'table') return { project, digest: parsed.digest }
  if (parsed.kind !== 'object') throw errors.badRequest(`The ref ${ref} is not a dataset.`)
  const answer = await ask(reader, '/obj/read', {
    project_id: project,
    object_id: parsed.name,
    digest: parsed.digest,
  })
  const rows = valueAt(await answer.json(), 'obj.val.rows')
  if (Array.isArray(rows)) return { project, inline: rows }
  const table = typeof rows === 'string' ? refIn(rows) : undefined
  if (table?.kind !== 'table')
    throw errors.badRequest(
      `The object ${ref} is not a dataset: its \`rows\` are neither a table nor a list.`,
    )
  return { project: table.project, digest: table.digest }
}

async function* streamed(reader: Reader, path: string, body: object): AsyncGenerator<unknown> {
  const answer = await ask(reader, path, body)
  const chunks: AsyncIterable<Uint8Array> | null = answer.body
  if (!chunks) return
  const tooLong = () => errors.badRequest('A row is longer than 64 MiB.')
  for await (const line of linesOf(chunks, LONGEST_LINE, tooLong)) if (line !== '') yield JSON.parse(line)
}

/** The tracing interface's answer to a caller. @throws its error, with its status */
export async function ask({ url, caller }: Reader, path: string, body: object): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        ...caller.credentials,
        'content-type': 'application/json',
        accept: 'application/jsonl, application/json',
        ...traceHeaders(),
      },
      body: JSON.stringify(body),
      signal: caller.signal,
    })
  } catch (cause) {
    throw new HeddleError(
      'TRACING_AWAY',
      503,
      'The tracing interface does not answer; send the request again.',
      {
        headers: { 'retry-after': '2' },
        cause,
      },
    )
  }
  if (answer.ok) return answer
  const told: unknown = await answer.json().catch(() => undefined)
  throw passedOn(answer.status, told)
}

/** Passes the tracing interface's error on to the caller. */
function passedOn(status: number, told: unknown): HeddleError {
  const reason = valueAt(told, 'reason') ?? valueAt(told, 'detail.0.msg')
  const code = valueAt(told, 'code')
  return new HeddleError(
    typeof code === 'string' ? code : 'TRACING_REFUSED',
    status >= 500 ? 503 : status,
    typeof reason === 'string' ? reason : `The tracing interface answered ${status}.`,
    status === 429 || status >= 500 ? { headers: { 'retry-after': '2' } } : {},
  )
}
