/**
 * Makes whole calls out of halves: reads the rows that they are made of, and stores the new ones. The start side is the
 * newest start's, the end side the newest end's; a whole call that is stored already takes part as both. The new row's
 * version is the largest of what it was made of, so every process makes the same row.
 */
import { CallBlock } from '../../domain/calls/block.js'
import { type Column, Int64Column, IntColumn, StringColumn } from '../../domain/calls/column.js'
import { insertSettings } from '../../domain/calls/insert-settings.js'
import { LEAF_LIMIT, TRUNCATED } from '../../domain/calls/leaves.js'
import { SPAN_IN_ONE_PIECE } from '../../domain/calls/otel-span.js'
import { RowCursor } from '../../domain/calls/read/row.js'
import { insertTarget, KIND, type SentColumn, sentColumns } from '../../domain/calls/schema.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { callKey } from './call-change.js'
import {
  bytesOf,
  type StoredCall,
  type StoredHalf,
  sumOf,
  theseCalls,
  theseHalves,
  weightOf,
} from './stored.js'

/** Bytes of texts that are in memory at once, unless one call has more. */
const BYTES = 8 << 20

/** What is stored of a call that has both sides. */
export interface Sides {
  readonly halves: readonly StoredHalf[]
  /** the versions of the whole call, which the new row replaces */
  readonly wholes: readonly StoredCall[]
}

type Source = StoredHalf | StoredCall

const SENT = sentColumns('calls')
/** Columns that are copied from one side; the span's text is read in one piece, so it shares nothing. */
const copied = (half: 'start' | 'end') =>
  SENT.filter((column) => column.half === half && column.kind !== 'sharedText').map(({ name }) => name)
const START_COLUMNS = copied('start')
const END_COLUMNS = copied('end')
const READ = [
  ...(['project_id', 'id', 'ver', 'kind', 'leaves'] as const),
  ...[...START_COLUMNS, ...END_COLUMNS],
] as const

/** The largest version of what a call is made of. */
export function versionOf({ halves, wholes }: Sides): number {
  return Math.max(...halves.map(({ ver }) => ver), ...wholes.map(({ ver }) => ver))
}

/**
 * Stores the whole calls that `calls` make up.
 * @returns those of which it did: a call of which a row has gone meanwhile is left to who took it away
 */
export async function joinRows(store: Store, calls: readonly Sides[]): Promise<Sides[]> {
  const joined: Sides[] = []
  const named = ({ halves, wholes }: Sides) => sumOf([...halves, ...wholes], weightOf)
  const held = ({ halves, wholes }: Sides) => sumOf([...halves, ...wholes], bytesOf)
  for (const some of pieces(calls, 1000, named))
    for (const few of pieces(some, 1000, held, BYTES)) {
      const block = new CallBlock()
      const rows = await Rows.read(store, few)
      for (const call of few) if (rows.write(block, call)) joined.push(call)
      if (block.rows > 0)
        await store.insert(insertTarget('calls'), 'Native', [block.encode()], {
          settings: insertSettings(block.rows),
        })
    }
  return joined
}

/** Where a row begins. */
interface Place {
  readonly bytes: Buffer
  readonly at: number
}

/** The rows that some calls are made of, in RowBinary. */
class Rows {
  private readonly cursor = new RowCursor(READ)
  private readonly places = new Map<string, Place>()

  static async read(store: Store, calls: readonly Sides[]): Promise<Rows> {
    const sources = calls.flatMap((call) => [startOf(call), endOf(call)])
    const halves = sources.filter(isHalf)
    const wholes = sources.filter((source): source is StoredCall => !isHalf(source))
    const rows = new Rows()
    await Promise.all([
      halves.length > 0 &&
        rows.add(store, sql`SELECT ${values('calls_open')} FROM calls_open WHERE ${theseHalves(halves)}`),
      wholes.length > 0 &&
        rows.add(store, sql`SELECT ${values('calls')} FROM calls WHERE ${theseCalls(wholes)}`),
    ])
    return rows
  }

  private async add(store: Store, statement: Sql): Promise<void> {
    const bytes = await store.smallBytes(statement, 'RowBinary')
    const { cursor } = this
    for (const at of cursor.rows(bytes)) {
      const ver = cursor.whole(cursor.indexOf('ver'))
      this.places.set(`${this.text('project_id')} ${this.text('id')} ${this.text('kind')} ${ver}`, {
        bytes,
        at,
      })
    }
  }

  /** Adds a call's new row. @returns false if a row that it is made of is not there */
  write(block: CallBlock, call: Sides): boolean {
    const source = startOf(call)
    const [start, end] = [this.placeOf(source), this.placeOf(endOf(call))]
    if (!start || !end) return false
    const leaves = [
      ...new Set([...this.side(block, start, START_COLUMNS), ...this.side(block, end, END_COLUMNS)]),
    ]
    block.project_id.text(source.projectId)
    block.id.text(source.id)
    block.ver.number(versionOf(call))
    for (const leaf of leaves.length > LEAF_LIMIT ? [...leaves.slice(0, LEAF_LIMIT - 1), TRUNCATED] : leaves)
      block.leaves.add(leaf)
    block.endRow()
    return true
  }

  private placeOf(source: Source): Place | undefined {
    return this.places.get(`${callKey(source)} ${isHalf(source) ? source.kind : ''} ${source.ver}`)
  }

  /** Copies these columns of a row. @returns all leaves of the row */
  private side(block: CallBlock, { bytes, at }: Place, columns: readonly SentColumn[]): number[] {
    this.cursor.open(bytes)
    this.cursor.read(at)
    for (const name of columns) this.copy(block, name)
    return JSON.parse(this.text('leaves'))
  }

  private copy(block: CallBlock, name: SentColumn): void {
    const { cursor } = this
    const index = cursor.indexOf(name)
    const from = cursor.from[index]!
    const column: Column = block[name]
    if (column instanceof StringColumn) column.bytes(cursor.bytes, from, cursor.to[index]!)
    else if (column instanceof Int64Column)
      column.halves(cursor.view.getInt32(from, true), cursor.view.getInt32(from + 4, true))
    else if (column instanceof IntColumn)
      column.int(cursor.to[index]! - from === 1 ? cursor.bytes[from]! : cursor.uint32(index))
    else throw new Error(`a joined call can't copy ${name}`)
  }

  private text(name: (typeof READ)[number]): string {
    return this.cursor.text(this.cursor.indexOf(name)).toString()
  }
}

/** What {@link READ} is in a table, and the byte that ends a row. */
function values(table: 'calls' | 'calls_open'): Sql {
  const special: Partial<Record<string, Sql>> = {
    ...SPAN_IN_ONE_PIECE,
    leaves: sql`toString(leaves)`,
    kind: table === 'calls' ? sql`''` : sql`toString(toInt8(kind))`,
  }
  return commaList([...READ.map((name) => special[name] ?? ident(name)), sql`0`])
}

function isHalf(source: Source): source is StoredHalf {
  return 'kind' in source
}

function startOf({ halves, wholes }: Sides): Source {
  return newestOf([...wholes, ...halves.filter(({ kind }) => kind === KIND.start)])
}

function endOf({ halves, wholes }: Sides): Source {
  return newestOf([...wholes, ...halves.filter(({ kind }) => kind === KIND.end)])
}

/** Of several of one version the first: a whole call before the halves that it was made of, which may go. */
function newestOf(sources: readonly Source[]): Source {
  return sources.reduce((newest, source) => (source.ver > newest.ver ? source : newest))
}
