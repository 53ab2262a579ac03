/**
 * Reads fine-tuning data from a `training_data_url`: the kinds of address, and the lines behind each. Each is read with
 * the caller's rights only.
 */

import { sourceOfUrl, type TrainingDataSource } from '../../contract/training-data.js'
import type { Method } from '../../contract/training-methods.js'
import type { JobKind } from '../../domain/training/jobs.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Outbound } from '../../platform/outbound/fetch.js'
import type { Threads } from '../threads/threads.js'
import { conversations } from './lines.js'
import { trainingProblems } from './problems.js'

export interface SourceParts {
  store: Store
  artifacts: Artifacts
  outbound: Outbound
  traceLines: TraceLines
  threads: Threads
}

/** The caller who requests the data. */
export interface Requester {
  principal: Principal
  /** the request's headers that show who it is, unchanged */
  credentials: Readonly<Record<string, string>>
  signal: AbortSignal
  /** remarks on the data, for the job's log */
  notes: string[]
}

const ARTIFACT = /^(?:wandb-)?artifact:\/\/\/([^/\s]+)\/([^/\s]+)\/([^/:\s]+)(?::(\S+))?$/
const SCHEMES = 'data:, https://, artifact:/// and refs of datasets are read'
/** The most bytes fetched from an external address. */
const MOST_BYTES = 4 * 2 ** 30

/** Reads the lines at `url`. @throws `BAD_TRAINING_DATA` (400), `BAD_ADDRESS` (400), and the source's errors */
export async function conversationsAt(
  parts: SourceParts,
  url: string,
  requester: Requester,
  kind: Method,
): Promise<AsyncIterable<string>> {
  if (url.startsWith('data:')) return conversations(parts.threads, contentOf(parts.threads, url), kind)
  if (/^https?:/i.test(url))
    return conversations(parts.threads, await fetched(parts.outbound, url, requester.signal), kind)
  const artifact = ARTIFACT.exec(url)
  if (artifact) {
    const [, entity = '', project = '', name = '', version] = artifact
    const projectName = `${entity}/${project}`
    const file = requester.principal.may('read', projectName)
      ? await tracedFile(parts, projectName, name, requester.signal)
      : undefined
    if (file) return conversations(parts.threads, file, kind)
    // If it is not a file, it may be a dataset; the tracing interface checks whether the caller may read it.
    url = `weave:///${projectName}/object/${encodeURIComponent(name)}:${version ?? 'latest'}`
  }
  return traced(parts.traceLines, sourceAt(url), kind, requester)
}

/** Reads lines from the tracing interface. @param scored a scorer rewards the answers later */
export function traced(
  traceLines: TraceLines,
  source: TrainingDataSource,
  kind: JobKind,
  { credentials, signal, notes }: Requester,
  scored = false,
): AsyncIterable<string> {
  return traceLines({ source, kind, credentials, signal, scored, told: (leftOut) => notes.push(leftOut) })
}

function sourceAt(url: string): TrainingDataSource {
  let source: TrainingDataSource | undefined
  try {
    source = sourceOfUrl(url)
  } catch {
    throw trainingProblems.badData(`${shown(url)} is not a ref of a dataset; ${SCHEMES}.`)
  }
  if (!source) throw trainingProblems.badData(`${shown(url)} is not an address of training data; ${SCHEMES}.`)
  return source
}

async function* contentOf(threads: Threads, url: string): AsyncGenerator<Uint8Array> {
  yield await threads.run('dataUrl', url, url.length)
}

async function fetched(
  outbound: Outbound,
  url: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    const answer = await outbound.fetch(url, { signal })
    if (answer.status === 200 && answer.body) return bounded(answer.body)
    await answer.body?.cancel()
    throw trainingProblems.badData(`${shown(url)} answers ${answer.status}; make it readable without a key.`)
  } catch (error) {
    if (error instanceof HeddleError && error.status < 500) throw error
    throw trainingProblems.badData(`${shown(url)} can't be read: ${(error as Error).message}`)
  }
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MOST_BYTES) throw trainingProblems.badData('The training data is larger than 4 GiB.')
    yield chunk
  }
}

/** An address for use in messages, without its query, which may hold a credential. */
function shown(url: string): string {
  return JSON.stringify(url.split('?')[0]!.slice(0, 200))
}

/** The content of a file by its digest, or undefined if there is none. @param project entity/project */
async function tracedFile(
  { store, artifacts }: { store: Store; artifacts: Artifacts },
  project: string,
  digest: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const id = projectIdOf(project)
  const one = sql`project_id = ${bind.string(id)} AND digest = ${bind.string(digest)}`
  const head = await store.row<{ chunks: number }>(
    sql`SELECT chunks FROM files WHERE ${one} AND chunk = 0 LIMIT 1`,
  )
  if (!head) return undefined
  // Files too large for rows are in the artifact store.
  if (head.chunks === 0) return artifacts.get(`files/${id}/${digest}`, undefined, signal)
  return store.stream(
    sql`SELECT content FROM files WHERE ${one} ORDER BY chunk LIMIT 1 BY chunk`,
    'RawBLOB',
    {
      settings: { max_threads: 1, max_block_size: '2' },
      signal,
    },
  )
}

/** Reads examples from the tracing interface, with the caller's rights. */
type TraceLines = (asked: {
  source: TrainingDataSource
  /** `sft`: lines of {messages, tools?}; `dpo`: pairs of answers; `kto`: judged answers; `rl`: trajectory groups */
  kind: JobKind
  /** headers that show who the caller is, so that nothing else is read */
  credentials: Readonly<Record<string, string>>
  signal: AbortSignal
  /** a scorer rewards the answers later; default: no */
  scored?: boolean
  /** called after the last line with a sentence, if rows were left out */
  told: (leftOut: string) => void
}) => AsyncIterable<string>
