/** How the log reaches the engine: one INSERT from a file, and the question whether that took place. */
import { randomUUID } from 'node:crypto'
import type { Engine } from '../engine/engine.js'
import type { Job, Outcome } from '../engine/protocol.js'
import { identifier, literal } from '../sql/literal.js'
import type { Opening } from './index-region.js'
import type { LogTarget } from './log-target.js'

/** One insert, one block, one part: so all of a file's rows are in the table, or none. */
const oneBlock: [name: string, value: string][] = [
  ['async_insert', '0'],
  ['max_insert_threads', '1'],
  ['min_insert_block_size_rows', '1000000000'],
  ['min_insert_block_size_bytes', '1000000000000'],
  ['insert_deduplicate', '0'],
]
/** Parts of fewer rows are merged in a moment, and read as fast without skip indexes. */
const smallRows = 5_000
/** Rows of a file that are looked for: the engine has all of them, or none. */
const sample = 1000

/** The log's way to `engine`. */
export function engineTarget(engine: Engine): LogTarget {
  const run = async (opening: Opening, job: Pick<Job, 'sql' | 'mode' | 'settings'>): Promise<string> => {
    const full: Job = {
      ...{ format: 'TSV', headerLines: 0, params: [], keepState: false, tag: randomUUID() },
      ...{ database: opening.database, ...job },
    }
    const running = await engine.run('flush', full, new AbortController().signal)
    const chunks: Uint8Array[] = []
    for (let chunk = await running.next(); chunk; chunk = await running.next()) chunks.push(chunk)
    await running.settled
    return job.mode === 'write'
      ? String((running.outcome as Outcome).writtenRows)
      : Buffer.concat(chunks).toString()
  }
  return {
    insert: async (opening, path, rows) => {
      const indexes: typeof oneBlock = rows < smallRows ? [['materialize_skip_indexes_on_insert', '0']] : []
      const sql = `${opening.head}\nFROM INFILE ${literal(path)} COMPRESSION 'none'\nFORMAT Native`
      const settings = [...opening.settings, ...oneBlock, ...indexes]
      return Number(await run(opening, { sql, mode: 'write', settings }))
    },
    holds: async (opening, path) => {
      const key = opening.key.map(identifier).join(', ')
      const file = `SELECT ${key} FROM file(${literal(path)}, Native) LIMIT ${sample}`
      const table = opening.table.split('.').map(identifier).join('.')
      const sql = `SELECT count() FROM ${table} WHERE (${key}) IN (${file})`
      return Number(await run(opening, { sql, mode: 'whole', settings: [] })) > 0
    },
  }
}
