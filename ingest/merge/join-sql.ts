/**
 * The statement that makes whole calls out of halves, inside ClickHouse: of the start and of the end the
 * newest version each. A whole call that is stored already takes part as both. The result's version is the largest
 * of what it was made of, so every process makes the same row.
 */
import { LEAF_LIMIT } from '../../domain/calls/leaves.js'
import { SPAN_IN_ONE_PIECE } from '../../domain/calls/otel-span.js'
import { CALL_COLUMNS, type CallColumn, KIND, sentColumns } from '../../domain/calls/schema.js'
import { bind, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { type StoredCall, type StoredHalf, theseCalls, theseHalves } from './stored.js'

const columnsOf = (half: 'start' | 'end'): CallColumn[] =>
  CALL_COLUMNS.filter((column) => column.half === half).map(({ name }) => name)
const START_COLUMNS = columnsOf('start')
const END_COLUMNS = columnsOf('end')

/** A whole call counts as both of its halves. */
const WHOLE = 3

const comma = sql`, `

function columns(names: readonly string[]): Sql {
  return join(names.map(ident), comma)
}

/** The names of a half's columns in the tuple of its newest version. */
function valuesOf(names: readonly string[], tuple: Sql): Sql {
  return join(
    names.map((name, i) => sql`tupleElement(${tuple}, ${position(i)}) AS ${ident(name)}`),
    comma,
  )
}

function position(index: number): Sql {
  return sql`toUInt8(${bind.uint(index + 1)})`
}

/**
 * INSERT of the calls that `halves` (and `wholes`, stored versions of the same calls) make up. The caller has seen to
 * it that each call has both sides among them.
 */
export function joinStatement(halves: readonly StoredHalf[], wholes: readonly StoredCall[]): Sql {
  const names = sentColumns('calls').map(({ name }) => name)
  const read = [...START_COLUMNS, ...END_COLUMNS]
  const ofHalves = sql`SELECT toInt8(kind) AS side, project_id, id, ver, leaves, ${columns(read)} FROM calls_open WHERE ${theseHalves(halves)}`
  const whole = join(
    read.map((name) => SPAN_IN_ONE_PIECE[name] ?? ident(name)),
    comma,
  )
  const ofWholes = sql`SELECT toInt8(${bind.int(WHOLE)}), project_id, id, ver, leaves, ${whole} FROM calls WHERE ${theseCalls(wholes)}`
  const rows = wholes.length === 0 ? ofHalves : sql`${ofHalves} UNION ALL ${ofWholes}`
  const limit = bind.uint(LEAF_LIMIT)
  return sql`
    INSERT INTO calls (${columns(names)})
    SELECT ${columns(names)} FROM (
      SELECT project_id, id, newest AS ver,
        ${valuesOf([...START_COLUMNS, 'start_leaves'], sql`started`)},
        ${valuesOf([...END_COLUMNS, 'end_leaves'], sql`ended`)},
        arrayDistinct(arrayConcat(start_leaves, end_leaves)) AS all_leaves,
        if(length(all_leaves) > ${limit}, arrayPushBack(arraySlice(all_leaves, 1, ${limit} - 1), 0), all_leaves)
          AS leaves,
        length(inputs) + length(output) + length(attributes) + length(summary) AS bytes
      FROM (
        SELECT project_id, id, max(ver) AS newest,
          argMaxIf((${columns(START_COLUMNS)}, leaves), ver, side != ${bind.int(KIND.end)}) AS started,
          argMaxIf((${columns(END_COLUMNS)}, leaves), ver, side != ${bind.int(KIND.start)}) AS ended
        FROM (${rows})
        GROUP BY project_id, id
      )
    )`
}
