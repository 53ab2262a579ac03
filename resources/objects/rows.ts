/** Rows of the table `objects` as its writer inserts them. */
import { integers, nativeBlock, strings, tuple } from '../../platform/clickhouse/native-block.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Kind } from './classes.js'

/** A creation of a version; `value` is absent if the version is stored already. */
export interface ObjectRow {
  project: string
  object: string
  digest: string
  ver: number
  value?: { kind: Kind; base: string; leaf: string; text: string; userId: string }
}

/**
 * The embedded engine logs these inserts; what no two of their rows have in common, and the column by which statements
 * say which rows they read (`objectsOf`). Rows of one version fold, so one that comes twice changes nothing.
 */
export const LOGGED_OBJECTS = {
  table: 'objects',
  key: ['project_id', 'object_id', 'digest', 'written_ver'],
  readKey: 'object_id',
}

/** The default of `created`, 2299-01-01: any creation is before it. */
const NEVER = 10_382_256_000_000_000

export async function insertObjects(store: Store, rows: readonly ObjectRow[]): Promise<void> {
  if (rows.length === 0) return
  const text = (of: (row: ObjectRow) => string | undefined) => rows.map((row) => of(row) ?? '')
  const columns = [
    // First, so that the log finds it without knowing other types.
    strings(
      'object_id',
      text(({ object }) => object),
    ),
    strings(
      'project_id',
      text(({ project }) => project),
    ),
    strings(
      'digest',
      text(({ digest }) => digest),
    ),
    strings(
      'kind',
      text(({ value }) => value?.kind ?? 'object'),
    ),
    strings(
      'base_class',
      text(({ value }) => value?.base),
    ),
    strings(
      'leaf_class',
      text(({ value }) => value?.leaf),
    ),
    strings(
      'val',
      text(({ value }) => value?.text),
    ),
    integers(
      'bytes',
      rows.map(({ value }) => Buffer.byteLength(value?.text ?? '')),
    ),
    tuple('created', [
      integers(
        'at',
        rows.map(({ ver, value }) => (value ? ver : NEVER)),
        "DateTime64(6, 'UTC')",
      ),
      strings(
        'by',
        text(({ value }) => value?.userId),
      ),
    ]),
    integers(
      'written_ver',
      rows.map(({ ver }) => ver),
    ),
  ]
  const into = `objects (${columns.map(({ name }) => name).join(', ')})`
  await store.insert(into, 'Native', [nativeBlock(columns, rows.length)])
}
