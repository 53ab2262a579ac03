/** Rows of a SELECT as objects, as they come: for results that may be long. Knows no table. */
import type { Sql } from './sql.js'
import type { StatementOptions, Store } from './store.js'

const NEWLINE = 0x0a

/** Rows in pieces of what arrives at once. Ending the iteration early ends the statement. */
export async function* streamRows<Row>(
  store: Store,
  statement: Sql,
  options: StatementOptions = {},
): AsyncGenerator<Row[]> {
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const piece of await store.stream(statement, 'JSONEachRow', options)) {
    const bytes = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    rest = bytes.subarray(end)
    if (end > 0) yield parsed<Row>(bytes.subarray(0, end))
  }
  if (rest.length > 0) yield parsed<Row>(Buffer.from(rest))
}

function parsed<Row>(lines: Buffer): Row[] {
  return lines
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}
