/** Streams the rows of a SELECT as objects, for results that may be long. */
import { wholeLines } from '../json/lines.js'
import type { Sql } from './sql.js'
import type { StatementOptions, Store } from './store.js'

/** Yields rows as they arrive, in groups. Ending the iteration early ends the statement. */
export async function* streamRows<Row>(
  store: Store,
  statement: Sql,
  options: StatementOptions = {},
): AsyncGenerator<Row[]> {
  for await (const lines of wholeLines(await store.stream(statement, 'JSONEachRow', options)))
    yield parsed<Row>(lines)
}

function parsed<Row>(lines: Buffer): Row[] {
  return lines
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}
