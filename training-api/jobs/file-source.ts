/** Reads files of the tracing interface as training data. */
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'

/** The content of a file by its digest, or undefined if there is none. @param project entity/project */
export async function tracedFile(
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
