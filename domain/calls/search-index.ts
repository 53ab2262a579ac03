/**
 * The index of words: which rows of `calls` have which words in their inputs, their output, or the text of a span. It is
 * made only where an operator asks for it, since it costs more than it is worth to who never searches:
 * docs/adr/0034-index-of-words-by-choice.md. Searches use it by themselves (`words.ts`), and read texts of parts that lack it.
 */
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

/** By name, the column that an index is of. Other columns have no long texts. */
const INDEXES = { words_of_inputs: 'inputs', words_of_output: 'output', words_of_span: 'otel_span' } as const

const names = Object.keys(INDEXES)

/**
 * Statements in the form of migrations, by the column that an index is of; the engine makes the index of what is stored in the
 * background. One after the other: it holds the words of a large part in memory meanwhile, 400 MB for each index.
 */
export const ADD_SEARCH_INDEX: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(INDEXES).map(([name, column]) => [
    column,
    [
      `ALTER TABLE calls {on_cluster} ADD INDEX IF NOT EXISTS ${name} lower(${column}) TYPE text(tokenizer = splitByNonAlpha)`,
      `ALTER TABLE calls {on_cluster} MATERIALIZE INDEX ${name} SETTINGS mutations_sync = 0`,
    ],
  ]),
)
export const DROP_SEARCH_INDEX = [
  `ALTER TABLE calls {on_cluster} ${names.map((name) => `DROP INDEX IF EXISTS ${name}`).join(', ')}`,
]

export interface SearchIndexState {
  isThere: boolean
  /** bytes of all indexes of these names */
  bytes: number
  /** parts that the engine is still making or removing it in */
  partsLeft: number
}

export async function searchIndexState(store: Store): Promise<SearchIndexState> {
  const [row] = await store.rows<{ indexes: number; bytes: number; parts: number }>(sql`
    SELECT toUInt32(count()) AS indexes, toFloat64(sum(data_compressed_bytes)) AS bytes,
      (SELECT toUInt32(sum(parts_to_do)) FROM system.mutations
        WHERE database = currentDatabase() AND is_done = 0 AND match(command, 'INDEX .*words_of_')) AS parts
    FROM system.data_skipping_indices WHERE database = currentDatabase() AND startsWith(name, 'words_of_')`)
  return { isThere: row!.indexes >= names.length, bytes: row!.bytes, partsLeft: row!.parts }
}
